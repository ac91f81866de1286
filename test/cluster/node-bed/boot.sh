#!/bin/sh
# boot.sh FOLDER NAME, as process 1 of a machine: mounts its file systems, and runs containerd and the kubelet.
# What pods write to /etc, /opt, /usr and /var is in FOLDER/written, and lasts over a reboot; /run and /dev do not.
set -eu
folder=$1
name=$2
mount --make-rprivate /

# Fresh file systems on top of the real ones: the machine's own processes, devices and control groups.
mount -t sysfs sysfs /sys
if ! grep -q ' cgroup ' "$folder/hierarchies"; then
  mount -t cgroup2 cgroup2 /sys/fs/cgroup
  # A group with controllers may have no processes of its own.
  mkdir /sys/fs/cgroup/boot
  echo 1 > /sys/fs/cgroup/boot/cgroup.procs
  sed 's/\([a-z]\)/+\1/; s/ / +/g' /sys/fs/cgroup/cgroup.controllers > /sys/fs/cgroup/cgroup.subtree_control
else
  mount -t tmpfs tmpfs /sys/fs/cgroup
  while read -r point type options; do
    mkdir -p "$point"
    mount -t "$type" -o "$options" "$type" "$point"
  done < "$folder/hierarchies"
fi

over() {
  mkdir -p "$2/written$1" "$2/overlay$1"
  mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/written$1,workdir=$2/overlay$1" "$1"
}
# containerd's snapshots and the kubelet's volumes cannot be on an overlay.
mkdir -p "$folder/containerd" "$folder/kubelet" "$folder/boot"
for path in /etc /opt /usr /var; do over $path "$folder"; done
mkdir -p /var/lib/containerd /var/lib/kubelet
mount --bind "$folder/containerd" /var/lib/containerd
mount --bind "$folder/kubelet" /var/lib/kubelet
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs "$folder/boot"
over /dev "$folder/boot"
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm
# As a boot does, so that the kubelet reports it.
cat /proc/sys/kernel/random/uuid > "$folder/boot/id"
mount --bind "$folder/boot/id" /proc/sys/kernel/random/boot_id
# A node has kmod, whose folder a driver mounts a file of.
mkdir -p /run/udev /etc/modprobe.d
mount --make-rshared /

hostname "$name"
ip link set lo up
# The address of the Service `kubernetes`: there is no kube-proxy.
ip address add "${WEFT_API_ADDRESS%:*}/32" dev lo
ip address add "$WEFT_NODE_IP/32" dev lo
echo 1 > /proc/sys/net/ipv4/ip_forward
. "$folder/devices.sh"

supervise() {
  log=$folder/$1.log
  shift
  while :; do
    "$@" >> "$log" 2>&1 < /dev/null || true
    sleep 0.5
  done
}
supervise relay "$WEFT_NODE_PROGRAM" -e "$WEFT_RELAY" "$WEFT_API_ADDRESS" "$folder/api.sock" &
supervise containerd containerd --config "$folder/containerd.toml" &
supervise kubelet "$WEFT_KUBELET" --kubeconfig="$folder/kubeconfig" --config="$folder/kubelet.json" \
  --hostname-override="$name" --node-ip="$WEFT_NODE_IP" &
touch "$folder/boot/done"
while :; do wait || true; sleep 1; done
