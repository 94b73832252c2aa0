/** Installs the agent on Linux without uCentral firmware, after checking its SHA-256. Evaluates no response. */
export const edgePart = String.raw`# whether a program is here that is good enough for the agent; busybox's ip speaks no JSON
ready() {
  case $1 in
    node)
      major=$(node --version 2>/dev/null | sed -n 's/^v\([0-9]\{1,4\}\)\..*/\1/p')
      [ -n "$major" ] && [ "$major" -ge 20 ]
      ;;
    ip) ip -j link show >/dev/null 2>&1 ;;
    *) have "$1" ;;
  esac
}

look() { # what the agent cannot do without, and what some of its work needs
  must=
  for name in node ip nft; do ready $name || must="$must $name"; done
  more=
  for name in tc bridge dnsmasq conntrack tcpdump ping busybox; do ready $name || more="$more $name"; done
}

packages_of() { # the packages of apt or opkg that have these programs, each once
  manager=$1
  list=
  shift
  for name; do
    case $manager:$name in
      apt:node) package=nodejs ;;
      apt:ip | apt:tc | apt:bridge) package=iproute2 ;;
      apt:dnsmasq) package=dnsmasq-base ;;
      apt:ping) package=iputils-ping ;;
      opkg:ip) package=ip-full ;;
      opkg:tc) package=tc-full ;;
      opkg:bridge) package=ip-bridge ;;
      opkg:ping) package=busybox ;;
      *:nft) package=nftables ;;
      *) package=$name ;;
    esac
    case "$list " in *" $package "*) ;; *) list="$list $package" ;; esac
  done
  printf '%s' "$list"
}

how_to() { # the command that brings these programs
  if have apt-get; then
    printf 'apt-get install%s' "$(packages_of apt "$@")"
  elif have opkg; then
    printf 'opkg update; opkg install%s' "$(packages_of opkg "$@")"
  else
    printf 'install the packages of: %s' "$*"
  fi
}

prepare() { # ends here when this machine cannot run the agent yet; installs only when it was told to
  look
  if [ -n "$must$more" ] && [ "$ENROLL_INSTALL" = 1 ]; then
    have apt-get || fail 'ENROLL_INSTALL=1 works where there is apt-get only'
    # shellcheck disable=SC2086
    packages=$(packages_of apt $must $more)
    say "Installing:$packages"
    # shellcheck disable=SC2086
    { apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install $packages; } </dev/null >&2 ||
      fail 'apt-get could not install them'
    look
  fi
  if [ -n "$must" ]; then
    say "enroll: the edge agent needs what is missing here:$must"
    case "$must " in
      *' node '*) say "It runs on Node.js 20 or newer$(node --version 2>/dev/null | sed -n 's/^\(v[0-9.]*\)$/; here is \1/p'). Debian has it from 13 on; for older systems see https://nodejs.org" ;;
    esac
    # shellcheck disable=SC2086
    say "First:  $(how_to $must $more)"
    say 'Then run this line again.'
    have apt-get && [ "$ENROLL_INSTALL" != 1 ] && say 'ENROLL_INSTALL=1 before "sh" lets this script install them.'
    exit 3
  fi
  # shellcheck disable=SC2086
  [ -z "$more" ] || say "enroll: without$more some of it will not work:  $(how_to $more)"
  case $root:$(node -p process.execPath </dev/null) in
    :/root/* | :/home/*) fail 'this Node.js lies in a home folder, which services do not reach; install it for the whole machine' ;;
  esac
}

fetch() { # address file
  if have curl; then
    curl -fsS -m 300 -o "$2" "$1"
  elif have uclient-fetch; then
    uclient-fetch -q -T 300 -O "$2" "$1"
  elif have wget; then
    wget -q -O "$2" "$1"
  else
    fail 'this machine has none of curl, uclient-fetch and wget'
  fi
}

digest() {
  if have sha256sum; then sha256sum "$1" | cut -d' ' -f1; else openssl dgst -sha256 -r "$1" | cut -d' ' -f1; fi
}

agent() {
  [ -z "$root" ] || export YUNXUN_EDGE_ROOT="$root"
  # what is in place becomes the service's own user; this bundle would write to that user's folders as root
  [ -n "$root" ] || [ "$1" = install ] || { /usr/bin/yunxun-edge "$@" </dev/null; return; }
  node "$work/yunxun-edge.mjs" "$@" </dev/null
}

edge() {
  [ "$(uname -s)" = Linux ] || fail 'this is neither uCentral (OpenWiFi) firmware nor Linux'
  if [ -z "$root" ]; then
    PATH=$PATH:/usr/sbin:/sbin
    [ "$(id -u)" = 0 ] || fail 'run this as root'
  fi
  say 'This is not uCentral (OpenWiFi) firmware: the Yunxun edge agent makes this machine a gateway.'
  prepare
  # the service's own user reads what is installed
  umask 022
  workplace
  address=$console/edge/yunxun-edge.mjs
  fetch "$address.sig" "$work/yunxun-edge.mjs.sig" && fetch "$address" "$work/yunxun-edge.mjs" || {
    say "enroll: cannot download $address; a console that was built without the agent answers 404 there."
    unreachable
  }
  version=$(sed -n 's/.*"version":"\([0-9A-Za-z.+-]\{1,64\}\)".*/\1/p' "$work/yunxun-edge.mjs.sig")
  sha256=$(sed -n 's/.*"sha256":"\([0-9a-f]\{64\}\)".*/\1/p' "$work/yunxun-edge.mjs.sig")
  [ -n "$version" ] && [ -n "$sha256" ] || fail "$address.sig names no version"
  [ "$(digest "$work/yunxun-edge.mjs")" = "$sha256" ] || fail 'what was downloaded is not the bundle that the console signed; nothing was installed'

  say "Installing version $version of the agent ..."
  agent install || fail 'the agent could not be installed'
  if [ -n "$gwid" ]; then
    agent enroll "--gwid=$gwid" -- "$console" "$code"
  else
    agent enroll -- "$console" "$code"
  fi
  case $? in
    0) ;;
    4 | 5) fail 'this machine is bound, but its agent is not online (the reason is above)' ;;
    *) fail 'the agent is installed, but not bound; run this line again' ;;
  esac
}
`;
