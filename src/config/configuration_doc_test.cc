// docs/configuration.md may not drift from the table in the code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "config/node_config.h"

namespace ebb::config {
namespace {

std::string Document() {
  const auto path = std::filesystem::path(EBB_DOCS) / "configuration.md";
  std::ifstream file(path);
  EXPECT_TRUE(file.is_open()) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string Trim(const std::string& text) {
  const auto first = text.find_first_not_of(" `");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" `") - first + 1);
}

// The cells of the table whose first column is headed "key".
std::vector<std::vector<std::string>> Rows() {
  std::vector<std::vector<std::string>> rows;
  std::stringstream document(Document());
  bool inside = false;
  for (std::string line; std::getline(document, line);) {
    if (!line.starts_with('|')) inside = false;
    if (inside && !line.starts_with("|--")) {
      std::vector<std::string> cells;
      std::stringstream row(line.substr(1));
      for (std::string cell; std::getline(row, cell, '|');) cells.push_back(Trim(cell));
      rows.push_back(cells);
    }
    if (line.starts_with("| key ")) inside = true;
  }
  return rows;
}

TEST(ConfigurationDoc, HasOneRowPerKeyWithNameDefaultUnitAndMeaning) {
  const auto rows = Rows();
  const auto keys = Keys();
  ASSERT_EQ(rows.size(), keys.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_THAT(rows[i], testing::ElementsAre(keys[i].name, keys[i].default_text, keys[i].unit,
                                              keys[i].meaning));
  }
}

TEST(ConfigurationDoc, ItsExampleIsValidAndCoversEveryKey) {
  const std::string document = Document();
  const auto begin = document.find("```yaml\n");
  ASSERT_NE(begin, std::string::npos);
  const auto end = document.find("```", begin + 8);
  const std::string example = document.substr(begin + 8, end - begin - 8);
  const auto config = ParseNodeConfig(example, "example");
  EXPECT_TRUE(config.ok()) << config.error().message;
  for (const KeyDoc& key : Keys()) {
    EXPECT_NE(("\n" + example).find("\n" + std::string(key.name) + ":"), std::string::npos)
        << key.name;
  }
}

}  // namespace
}  // namespace ebb::config
