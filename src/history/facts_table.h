// Facts about images, sandboxes and containers as rows.
#pragma once

#include "engine/ports.h"
#include "history/sqlite.h"

namespace ebb::history {

// A row that cannot be decoded is left out: facts can be looked up again.
base::Result<engine::Facts> ReadFacts(Database& database);

// See engine::History::SaveFacts(). Within the caller's transaction.
base::Status WriteFacts(Database& database, const engine::FactBook& book,
                        const engine::Inventory& seen);

}  // namespace ebb::history
