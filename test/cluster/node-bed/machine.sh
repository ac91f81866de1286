#!/bin/sh
# machine.sh FOLDER NAME: a machine for one node, in namespaces and control groups of its own. It runs boot.sh as process 1, whose end
# takes every process, mount and network device of the machine with it. SIGTERM switches it off.
set -eu
folder=$1
name=$2
here=$(dirname "$(readlink -f "$0")")
group=weft-node-$$

# The control groups that this kernel mounts: mount point, type, options.
hierarchies() {
  while read -r line; do
    set -- $line
    point=$5
    set -- ${line##* - }
    case $1 in cgroup | cgroup2) echo "$point $1 $3" ;; esac
  done < /proc/self/mountinfo
}

remove_groups() {
  hierarchies | while read -r point _; do
    find "$point/$group" -depth -type d -exec rmdir {} \; 2> /dev/null || true
  done
}

hierarchies > "$folder/hierarchies"
while read -r point _; do
  mkdir "$point/$group"
  # Processes cannot enter a group without processors and memory nodes.
  for file in cpuset.cpus cpuset.mems; do
    if [ -f "$point/$group/$file" ]; then cat "$point/$file" > "$point/$group/$file" 2> /dev/null || true; fi
  done
  if [ -f "$point/$group/cgroup.clone_children" ]; then echo 1 > "$point/$group/cgroup.clone_children"; fi
done < "$folder/hierarchies"

# The subshell enters the groups, so that this shell stays outside and can remove them.
(
  self=$(sh -c 'echo $PPID')
  while read -r point _; do echo "$self" > "$point/$group/cgroup.procs"; done < "$folder/hierarchies"
  exec unshare --mount --net --pid --uts --ipc --cgroup --fork --kill-child --mount-proc sh "$here/boot.sh" "$folder" "$name"
) &
inside=$!
echo $inside > "$folder/unshared.pid"
trap 'kill -KILL $inside' TERM
wait $inside || true
trap - TERM
wait $inside 2> /dev/null || true
# The kernel removes the processes of the namespace one by one.
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  remove_groups
  hierarchies | while read -r point _; do [ ! -d "$point/$group" ] || exit 1; done && break
  sleep 0.3
done
