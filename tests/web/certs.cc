#include "web/certs.h"

#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <atomic>

namespace ebb::web {
namespace {

using Key = std::shared_ptr<EVP_PKEY>;
using Certificate = std::shared_ptr<X509>;

Key NewKey() {
  return {EVP_EC_gen("P-256"), EVP_PKEY_free};
}

void Add(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  (void)X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

// Unsigned yet; the issuer is itself until somebody else is named.
Certificate Draft(EVP_PKEY* key, const std::string& name, int days) {
  static std::atomic<long> serial = 1;
  Certificate draft(X509_new(), X509_free);
  (void)X509_set_version(draft.get(), X509_VERSION_3);
  (void)ASN1_INTEGER_set(X509_get_serialNumber(draft.get()), serial++);
  (void)X509_gmtime_adj(X509_getm_notBefore(draft.get()), -long{86400} * 30);
  (void)X509_gmtime_adj(X509_getm_notAfter(draft.get()), long{86400} * days);
  (void)X509_set_pubkey(draft.get(), key);
  X509_NAME* subject = X509_get_subject_name(draft.get());
  (void)X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                                   reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  (void)X509_set_issuer_name(draft.get(), subject);
  return draft;
}

std::string Text(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  std::string text(data, static_cast<std::size_t>(size));
  BIO_free(bio);
  return text;
}

std::string Pem(X509* certificate) {
  BIO* bio = BIO_new(BIO_s_mem());
  (void)PEM_write_bio_X509(bio, certificate);
  return Text(bio);
}

std::string Pem(EVP_PKEY* key) {
  BIO* bio = BIO_new(BIO_s_mem());
  (void)PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr);
  return Text(bio);
}

}  // namespace

Authority::Authority() : key_(NewKey()), certificate_(Draft(key_.get(), "test-ca", 1)) {
  Add(certificate_.get(), certificate_.get(), NID_basic_constraints, "critical,CA:TRUE");
  Add(certificate_.get(), certificate_.get(), NID_subject_key_identifier, "hash");
  (void)X509_sign(certificate_.get(), key_.get(), EVP_sha256());
}

std::string Authority::certificate() const {
  return Pem(certificate_.get());
}

Identity Authority::Issue(const std::string& names, int days) const {
  const Key key = NewKey();
  const Certificate leaf = Draft(key.get(), "test-leaf", days);
  (void)X509_set_issuer_name(leaf.get(), X509_get_subject_name(certificate_.get()));
  Add(leaf.get(), certificate_.get(), NID_subject_alt_name, names);
  Add(leaf.get(), certificate_.get(), NID_authority_key_identifier, "keyid:always");
  (void)X509_sign(leaf.get(), key_.get(), EVP_sha256());
  return {.certificate = Pem(leaf.get()), .key = Pem(key.get())};
}

Identity SelfSigned(const std::string& names) {
  const Key key = NewKey();
  const Certificate own = Draft(key.get(), "test-self", 1);
  Add(own.get(), own.get(), NID_subject_alt_name, names);
  (void)X509_sign(own.get(), key.get(), EVP_sha256());
  return {.certificate = Pem(own.get()), .key = Pem(key.get())};
}

}  // namespace ebb::web
