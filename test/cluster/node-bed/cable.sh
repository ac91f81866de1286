#!/bin/sh
# cable.sh FOLDER FOLDER DEVICE: connects two machines by a cable, whose end is DEVICE on both. The kernel has no other network device that
# pods of two machines can share.
set -eu
init() {
  read -r unshared < "$1/unshared.pid"
  set -- $(cat "/proc/$unshared/task/$unshared/children")
  echo "$1"
}
from=$(init "$1")
to=$(init "$2")
device=$3
nsenter --target "$from" --net ip link add "$device" mtu 9000 type veth peer name "$device" mtu 9000 netns "$to"
for machine in "$from" "$to"; do nsenter --target "$machine" --net ip link set "$device" up; done
