#!/bin/sh
# The steps of the image (Dockerfile), as root on a Debian with Node, where npm has installed the package in /opt/fiscal-rig:
# socat for serial ports, a user without rights, and a folder for data. The deep suite runs the same in a chroot.
set -eu

package=/opt/fiscal-rig
user=fiscal
id=10001

apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends socat
rm -rf /var/lib/apt/lists/*

groupadd --gid "$id" "$user"
# Serial ports of the machine belong to dialout.
useradd --uid "$id" --gid "$id" --groups dialout --home-dir /data --no-create-home --shell /usr/sbin/nologin "$user"
mkdir -p /data
chown "$user:$user" /data
chmod 700 /data

# The user may read the package, but not change it.
chown -R root:root "$package"
chmod -R u=rwX,go=rX "$package"
ln -sf "$package/bin/fiscal-rig" /usr/local/bin/fiscal-rig

setpriv --reuid="$id" --regid="$id" --init-groups fiscal-rig --version
