// SQLite without exceptions and without anything to forget: handles close themselves, a transaction
// that is not committed is rolled back. Thread-compatible.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "base/time.h"

struct sqlite3;
struct sqlite3_stmt;

namespace ebb::history {

// A prepared statement. Its database must outlive it.
class Statement {
 public:
  // Each binds the next parameter. A failure is kept and returned by Step() or Run().
  Statement& Bind(std::int64_t value);
  Statement& Bind(std::string_view text);
  Statement& BindBlob(std::string_view bytes);

  // True: there is a row to read. After the last row the statement is ready to be bound again.
  base::Result<bool> Step();
  // Runs to the end, whatever rows there are.
  base::Status Run();

  std::int64_t Int(int column) const;
  // Text or blob; valid until the next Step().
  std::string_view Bytes(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}
  void Keep(int code);

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int next_ = 1;
  int failure_ = 0;
};

class Database {
 public:
  enum class Access { kReadWrite, kReadOnly };

  // Waits at most `busy_timeout` for other processes, in this and every later call.
  static base::Result<Database> Open(const std::string& path, Access access,
                                     base::Duration busy_timeout);

  base::Result<Statement> Prepare(std::string_view sql);
  // One or more statements without parameters; rows are ignored.
  base::Status Execute(const char* sql);
  // The first column of the first row; 0 if there is none.
  base::Result<std::int64_t> Number(std::string_view sql);
  std::int64_t LastInsertId() const;

  // Keeps -wal and -shm when the last process closes the file.
  void KeepWal();
  // Whether closing moves the -wal into the file. Off: closing changes not a byte of it.
  void CheckpointOnClose(bool on);
  // True if the latest failure means that the file is not, or no longer, a database.
  bool damaged() const;

 private:
  struct Close {
    void operator()(sqlite3* db) const;
  };
  explicit Database(sqlite3* db) : db_(db) {}

  std::unique_ptr<sqlite3, Close> db_;
};

class Transaction {
 public:
  // Takes the write lock at once, so that nothing read in it can be outdated by another writer.
  static base::Result<Transaction> Begin(Database& database);
  base::Status Commit();

  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();

 private:
  explicit Transaction(Database& database) : database_(&database) {}
  Database* database_;
};

}  // namespace ebb::history
