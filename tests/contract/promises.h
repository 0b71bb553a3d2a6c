// What any engine::Runtime promises about any node, whatever is on it.
#pragma once

#include "engine/ports.h"

namespace ebb::contract {

// Each reports what is broken as a failure of the running test.
void ExpectIdentity(engine::Runtime& runtime);
void ExpectSoundInventory(engine::Runtime& runtime);
void ExpectStoragePaths(engine::Runtime& runtime);
void ExpectNamesResolve(engine::Runtime& runtime);
void ExpectOneAnswerPerQuestion(engine::Runtime& runtime);

}  // namespace ebb::contract
