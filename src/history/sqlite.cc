#include "history/sqlite.h"

#include <sqlite3.h>

#include <cstring>

namespace ebb::history {
namespace {

base::Error LastError(sqlite3* db) {
  std::string text = sqlite3_errmsg(db);
  const int system = sqlite3_system_errno(db);
  const int code = sqlite3_errcode(db) & 0xff;
  if (code == SQLITE_BUSY) text = "it is locked by another process";
  if (code == SQLITE_FULL) text = "the disk is full";
  const bool from_system = code == SQLITE_CANTOPEN || code == SQLITE_IOERR;
  if (from_system && system != 0) text.append(" (").append(std::strerror(system)).append(")");
  return {base::ErrorCode::kInternal, text};
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  // Repeats the error of the last Step(), which has been reported.
  (void)sqlite3_finalize(statement);
}

void Statement::Keep(int code) {
  if (failure_ == SQLITE_OK) failure_ = code;
}

Statement& Statement::Bind(std::int64_t value) {
  Keep(sqlite3_bind_int64(statement_.get(), next_++, value));
  return *this;
}

Statement& Statement::Bind(std::string_view text) {
  Keep(sqlite3_bind_text64(statement_.get(), next_++, text.data() == nullptr ? "" : text.data(),
                           text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::BindBlob(std::string_view bytes) {
  Keep(sqlite3_bind_blob64(statement_.get(), next_++, bytes.data() == nullptr ? "" : bytes.data(),
                           bytes.size(), SQLITE_TRANSIENT));
  return *this;
}

base::Result<bool> Statement::Step() {
  if (failure_ != SQLITE_OK) {
    return base::Error{base::ErrorCode::kInternal, sqlite3_errstr(failure_)};
  }
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  next_ = 1;
  if (code != SQLITE_DONE) {
    const base::Error error = LastError(sqlite3_db_handle(statement_.get()));
    (void)sqlite3_reset(statement_.get());  // repeats the error
    return error;
  }
  (void)sqlite3_reset(statement_.get());
  return false;
}

base::Status Statement::Run() {
  for (;;) {
    const auto row = Step();
    if (!row.ok()) return row.error();
    if (!*row) return base::Done{};
  }
}

std::int64_t Statement::Int(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string_view Statement::Bytes(int column) const {
  const void* const data = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  if (data == nullptr) return {};
  return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
}

void Database::Close::operator()(sqlite3* db) const {
  (void)sqlite3_close_v2(db);
}

base::Result<Database> Database::Open(const std::string& path, Access access,
                                      base::Duration busy_timeout) {
  const int mode = access == Access::kReadOnly ? SQLITE_OPEN_READONLY
                                               : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &raw,
                                   mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
  Database database(raw);  // also after a failure: then the handle carries the message
  if (raw == nullptr) return base::Error{base::ErrorCode::kInternal, "out of memory"};
  if (code != SQLITE_OK) return LastError(raw);
  const auto wait = std::chrono::duration_cast<std::chrono::milliseconds>(busy_timeout);
  (void)sqlite3_busy_timeout(raw, static_cast<int>(wait.count()));
  return database;
}

base::Result<Statement> Database::Prepare(std::string_view sql) {
  sqlite3_stmt* raw = nullptr;
  const int code =
      sqlite3_prepare_v2(db_.get(), sql.data(), static_cast<int>(sql.size()), &raw, nullptr);
  if (code != SQLITE_OK) return LastError(db_.get());
  return Statement(raw);
}

base::Status Database::Execute(const char* sql) {
  const int code = sqlite3_exec(db_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return LastError(db_.get());
  return base::Done{};
}

base::Result<std::int64_t> Database::Number(std::string_view sql) {
  auto statement = Prepare(sql);
  if (!statement.ok()) return statement.error();
  const auto row = statement->Step();
  if (!row.ok()) return row.error();
  return *row ? statement->Int(0) : 0;
}

std::int64_t Database::LastInsertId() const {
  return sqlite3_last_insert_rowid(db_.get());
}

void Database::KeepWal() {
  int on = 1;
  (void)sqlite3_file_control(db_.get(), "main", SQLITE_FCNTL_PERSIST_WAL, &on);
}

void Database::CheckpointOnClose(bool on) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): SQLite offers no other form.
  (void)sqlite3_db_config(db_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on ? 0 : 1, nullptr);
}

bool Database::damaged() const {
  const int code = sqlite3_errcode(db_.get()) & 0xff;
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

base::Result<Transaction> Transaction::Begin(Database& database) {
  if (const auto begun = database.Execute("BEGIN IMMEDIATE"); !begun.ok()) return begun.error();
  return Transaction(database);
}

base::Status Transaction::Commit() {
  auto done = database_->Execute("COMMIT");
  if (done.ok()) database_ = nullptr;
  return done;
}

Transaction::~Transaction() {
  // Fails only where SQLite has rolled back already.
  if (database_ != nullptr) (void)database_->Execute("ROLLBACK");
}

}  // namespace ebb::history
