#!/bin/sh
# Makes the Debian package and the tarball of a built program.
#   package.sh EBB OUTPUT_FOLDER
set -eu
ebb=$1
out=$2
here=$(cd "$(dirname "$0")" && pwd)
version=$("$ebb" version | awk '{ print $2 }')
architecture=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

# Commands that have a page: those that completion knows, by the program's own word.
pages() { "$ebb" --help | sed -n '/^Subcommands:/,$s/^  \([a-z]*\) .*/\1/p'; }

files() { # ROOT
  install -D -m 0755 "$ebb" "$1/usr/bin/ebb"
  install -D -m 0644 "$here/ebb.service" "$1/lib/systemd/system/ebb.service"
  install -D -m 0644 "$here/config.yaml" "$1/etc/ebb/config.yaml"
  install -D -m 0644 "$here/../LICENSE" "$1/usr/share/doc/ebb/copyright"
  mkdir -p "$1/usr/share/man/man1" "$1/usr/share/bash-completion/completions" \
    "$1/usr/share/zsh/vendor-completions" "$1/usr/share/fish/vendor_completions.d"
  "$ebb" completion bash >"$1/usr/share/bash-completion/completions/ebb"
  "$ebb" completion zsh >"$1/usr/share/zsh/vendor-completions/_ebb"
  "$ebb" completion fish >"$1/usr/share/fish/vendor_completions.d/ebb.fish"
  "$ebb" man | gzip -9n >"$1/usr/share/man/man1/ebb.1.gz"
  for page in $(pages); do
    "$ebb" man "$page" | gzip -9n >"$1/usr/share/man/man1/ebb-$page.1.gz"
  done
}

control() { # ROOT
  mkdir -p "$1/DEBIAN"
  cat >"$1/DEBIAN/control" <<C
Package: ebb
Version: $version
Architecture: $architecture
Maintainer: The ebb authors <ebb@example.org>
Section: admin
Priority: optional
Installed-Size: $(du -sk "$1/usr" | cut -f1)
Description: garbage collector for the images of a Kubernetes node
 Keeps the image disk below its high mark and never removes an image that somebody needs: it looks
 at containers in every state, the sandbox image, pins and rules, removes just enough, and says why.
 Installed, it observes; it removes when its configuration says mode: enforce.
C
  echo /etc/ebb/config.yaml >"$1/DEBIAN/conffiles"
  cat >"$1/DEBIAN/postinst" <<'C'
#!/bin/sh
set -e
if [ "$1" = configure ] && [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  # Whoever stopped it wants it stopped, also after an upgrade.
  if [ -z "$2" ]; then
    systemctl enable --quiet --now ebb.service || true
  else
    systemctl try-restart ebb.service || true
  fi
fi
C
  cat >"$1/DEBIAN/prerm" <<'C'
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl disable --now --quiet ebb.service || true
fi
C
  cat >"$1/DEBIAN/postrm" <<'C'
#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload || true; fi
if [ "$1" = purge ]; then rm -rf /var/lib/ebb /etc/ebb; fi
C
  chmod 0755 "$1/DEBIAN/postinst" "$1/DEBIAN/prerm" "$1/DEBIAN/postrm"
}

files "$work/deb"
control "$work/deb"
dpkg-deb --root-owner-group --build "$work/deb" "$out/ebb_${version}_${architecture}.deb" >/dev/null

files "$work/ebb-$version"
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner -czf \
  "$out/ebb-$version-linux-$architecture.tar.gz" "ebb-$version"
ls -1 "$out"
