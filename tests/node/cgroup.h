// The cgroups of the bench's pods: the one thing that outlives its namespaces.
#pragma once

#include <string>

namespace ebb::node {

// The cgroup below which this process's bench puts its pods, for example
// "/ebb-test-4026531836-1234". It carries the process id and the pid namespace that id is of.
std::string OwnCgroup();

// Removes the empty cgroup of that name, and all below it, from every hierarchy that has it.
void RemoveCgroup(const std::string& name);

// Removes what benches of this pid namespace left that were killed before they could clean up.
void SweepCgroups();

// True when any hierarchy has a cgroup of that name.
bool CgroupExists(const std::string& name);

}  // namespace ebb::node
