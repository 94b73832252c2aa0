import { edgePart } from './enrol-edge-script.ts';

/**
 * Returns POSIX sh that writes key, certificate and `gateway.json` for uCentral firmware; other Linux gets the agent.
 * Values in JSON are checked to need no escaping.
 */
export function enrolScript(publicUrl: string): string {
  return script.replace('@CONSOLE@', publicUrl.replaceAll("'", `'\\''`)).replace('@EDGE@\n', () => edgePart);
}

const script = String.raw`#!/bin/sh
# Binds this device to the Yunxun console at the address below.
# Usage on the device: curl -fsS <console>/enroll.sh | sh -s -- <binding code> [network id]
# ENROLL_ROOT names another root directory, to prepare an image.
# ENROLL_SWITCH=<MAC> makes the files of a switch, on any machine, in the folder where it runs.
# ENROLL_INSTALL=1 installs the packages that the edge agent needs (apt).
console='@CONSOLE@'

say() { printf '%s\n' "$*" >&2; }
fail() { say "enroll: $*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# the first value of a text field of a JSON file, reduced to harmless characters
text_field() {
  [ -f "$1" ] || return 0
  tr -d '\n\r\t' <"$1" | sed -n 's/.*"'"$2"'" *: *"\([^"]*\)".*/\1/p' | tr -cd 'A-Za-z0-9 ._+/-' | cut -c1-128
}

# the line ends of a PEM file as JSON writes them
pem_as_json() {
  while IFS= read -r line; do
    case $line in *[!A-Za-z0-9+/=\ -]*) return 1 ;; esac
    printf '%s\\n' "$line"
  done <"$1"
}

# a PEM field of the answer, its line ends restored
pem_field() {
  value=$(sed -n 's/.*"'"$1"'":"\(-----BEGIN[^"]*\)".*/\1/p' "$work/answer")
  case $value in
    '' | *[!A-Za-z0-9+/=\\\ -]*) return 1 ;;
  esac
  printf '%b' "$value"
}

post() {
  url=$console/api/v3/device/enroll
  if have curl; then
    curl -sS -m 60 -H 'Content-Type: application/json' -H 'localization: en' --data-binary "@$work/body" -o "$work/answer" "$url"
  elif have uclient-fetch; then
    uclient-fetch -q -T 60 --header 'Content-Type: application/json' --header 'localization: en' --post-file="$work/body" -O "$work/answer" "$url"
  elif have wget; then
    # without -T: builds of busybox crash on it
    wget -q --header='Content-Type: application/json' --header='localization: en' --post-file="$work/body" -O "$work/answer" "$url"
  else
    fail 'this device has none of curl, uclient-fetch and wget'
  fi
}

# sends the request again every five seconds while a person has to allow it, for a quarter of an hour; leaves the code of the answer in $result
request() {
  waits=0
  while :; do
    post || unreachable
    [ -s "$work/answer" ] || fail "$console gave no answer"
    result=$(sed -n 's/^{"code":\([0-9]*\),.*/\1/p' "$work/answer")
    [ "$result" = 4117 ] && [ $waits -lt 180 ] || return 0
    [ $waits = 0 ] && say "enroll: $(message)" && say 'Waiting up to 15 minutes ...'
    waits=$((waits + 1))
    sleep 5
  done
}

message() { sed -n 's/.*"message":"\([^"]*\)".*/\1/p' "$work/answer"; }

# what proves that this is the device that is bound: a certificate of it and a signature by its key over the request
proof() {
  [ -f "$old" ] || return 0
  sed -n '/-----BEGIN CERT/,/-----END CERT/p;/-----END CERT/q' "$old" >"$work/old.pem"
  certificate=$(pem_as_json "$work/old.pem") && [ -n "$certificate" ] || return 0
  signature=$(openssl dgst -sha256 -sign "$work/key.pem" "$work/csr.pem" 2>/dev/null | openssl base64 -A 2>/dev/null)
  [ -n "$signature" ] && printf ',"proof":{"certificate":"%s","signature":"%s"}' "$certificate" "$signature"
}

unreachable() {
  case $console in
    *://localhost* | *://127.*) say 'enroll: the console does not know its own address yet: YUNXUN_PUBLIC_URL is not set there.' ;;
  esac
  fail "$console does not answer as it should; check the address and the route to it"
}

find_serial() {
  for file in "$root/etc/config-shadow/ucentral" "$root/etc/config/ucentral"; do
    [ -f "$file" ] || continue
    sed -n "s/^[[:space:]]*option[[:space:]]\{1,\}serial[[:space:]]\{1,\}['\"]\{0,1\}\([0-9A-Fa-f:-]*\).*/\1/p" "$file"
  done
  [ -f "$dir/cert.pem" ] && openssl x509 -in "$dir/cert.pem" -noout -subject 2>/dev/null | sed -n 's/.*CN *= *\([0-9A-Fa-f:]*\).*/\1/p'
  for file in "$root/sys/class/net/eth0/address" "$root/sys/class/net/br-lan/address"; do
    [ -f "$file" ] && cat "$file"
  done
}

put() { # file mode: puts what is on standard input in its place at once, never half of it
  cat >"$1.new" && chmod "$2" "$1.new" && mv "$1.new" "$1" || fail "cannot write $1"
}

keep() { # puts the certificates where a factory reset leaves them; only some boards have the place
  have mount_certs && have store_certs || return 0
  mount_certs >/dev/null 2>&1
  [ -d "$root/certificates" ] || return 0
  cp "$dir/operational.pem" "$dir/operational.ca" "$root/certificates/" 2>/dev/null || return 0
  [ -f "$root/certificates/key.pem" ] || cp "$dir/key.pem" "$root/certificates/" 2>/dev/null
  store_certs >/dev/null 2>&1
}

# asks for a certificate of $serial for the key in $work, which may have one already in the file $old; leaves it and its authority there, and $server and $port
certify() {
  openssl req -new -sha256 -key "$work/key.pem" -subj "/CN=$serial" -out "$work/csr.pem" 2>/dev/null || fail 'openssl made no certificate request'
  csr=$(pem_as_json "$work/csr.pem") || fail 'the certificate request has characters it should not have'

  {
    printf '{"binding_code":"%s","serial":"%s","csr":"%s"' "$code" "$serial" "$csr"
    if [ -n "$ENROLL_SWITCH" ]; then
      printf ',"platform":"switch"'
    else
      for field in platform model; do
        value=$(text_field "$dir/capabilities.json" $field)
        [ -n "$value" ] && printf ',"%s":"%s"' $field "$value"
      done
    fi
    [ -n "$gwid" ] && printf ',"gwid":"%s"' "$gwid"
    proof
    printf '}'
  } >"$work/body"

  say "Asking $console for a certificate for $serial ..."
  request
  if [ "$result" != 2000 ]; then
    say "enroll: the console refused ($result): $(message)"
    sed -n 's/.*"errors":{\([^}]*\)}.*/  \1/p' "$work/answer" >&2
    exit 1
  fi

  pem_field certificate >"$work/operational.pem" || fail 'the answer holds no certificate'
  pem_field ca >"$work/operational.ca" || fail 'the answer holds no authority'
  server=$(sed -n 's/.*"server":"\([A-Za-z0-9.:-]*\)".*/\1/p' "$work/answer")
  port=$(sed -n 's/.*"port":\([0-9]*\).*/\1/p' "$work/answer")
  [ -n "$server" ] && [ -n "$port" ] || fail 'the answer names no server'
}

check_serial() { # what is said of one that is no MAC address
  case $serial in
    *[!0-9a-f]*) fail "the serial \"$serial\" is not a MAC address" ;;
    ????????????) ;;
    *) fail "$1" ;;
  esac
}

# makes the files of a switch with the open client in a folder here; the key is made on this machine
switch_files() {
  have openssl || fail 'openssl is needed to make the key'
  serial=$(printf '%s' "$ENROLL_SWITCH" | tr -d ':-' | tr 'A-F' 'a-f')
  check_serial 'ENROLL_SWITCH has to be the MAC address on the label of the switch'
  umask 077
  root=$PWD
  old=$root/$serial/cert.pem
  if [ -e "$root/$serial" ] && { [ ! -f "$root/$serial/key.pem" ] || [ ! -f "$old" ]; }; then
    fail "$serial exists here already: take it away, or work in another folder"
  fi
  work=$(mktemp -d "$root/enroll.XXXXXX") || fail 'cannot write here'
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' INT TERM
  # the files of an earlier enrolment: their key stays, and proves that this is the switch
  if [ -f "$old" ]; then
    cp "$root/$serial/key.pem" "$work/key.pem" || fail "cannot read $serial/key.pem"
  else
    openssl ecparam -name prime256v1 -genkey -noout -out "$work/key.pem" 2>/dev/null || fail 'openssl made no key'
  fi
  certify
  mkdir -p "$root/$serial" || fail "cannot write $serial"
  put "$root/$serial/key.pem" 600 <"$work/key.pem"
  put "$root/$serial/cert.pem" 644 <"$work/operational.pem"
  put "$root/$serial/cas.pem" 644 <"$work/operational.ca"
  # the client does not start without this file, and uses it for the redirector only
  printf '%s\n' "$serial" | put "$root/$serial/dev-id" 644
  [ "$port" = 15002 ] || say "enroll: warning: the switch client knows port 15002 only, and the console listens on $port"
  say "Done. The files of $serial are in ./$serial: cert.pem, key.pem, cas.pem, dev-id."
  say "The address for the switch: UC_GATEWAY_ADDRESS=$server"
}

workplace() { # a folder of our own that goes away at the end
  work=$(mktemp -d "$root/tmp/enroll.XXXXXX") || fail 'no room in /tmp'
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' INT TERM
}

@EDGE@
main() {
  root=$ENROLL_ROOT
  dir=$root/etc/ucentral
  old=
  code=$1
  gwid=$2
  case $code in
    '') fail 'give the binding code from the console: sh -s -- <binding code>' ;;
    *[!A-Za-z0-9-]*) fail 'a binding code has letters, digits and hyphens only' ;;
  esac
  case $gwid in *[!0-9a-f-]*) fail 'a network id has hexadecimal digits and hyphens only' ;; esac

  if [ -n "$ENROLL_SWITCH" ]; then
    switch_files
    return
  fi
  if [ ! -d "$dir" ] || { [ ! -e "$root/usr/sbin/ucentral" ] && [ ! -e "$root/etc/init.d/ucentral" ]; }; then
    edge
    return
  fi
  have openssl || fail 'this firmware has no openssl program; make the key and the certificate elsewhere (see the operator guide)'

  serial=$(find_serial | head -n 1 | tr -d ':-' | tr 'A-F' 'a-f')
  check_serial 'found no serial: neither in /etc/config/ucentral nor in a certificate nor on eth0'

  umask 077
  workplace

  # the firmware has one key for all its certificates: a good one stays
  if [ -f "$dir/key.pem" ] && openssl pkey -in "$dir/key.pem" -noout >/dev/null 2>&1; then
    cp "$dir/key.pem" "$work/key.pem"
    old=$dir/operational.pem
    # the key's factory certificate proves it too, where the console trusts its authority
    [ -f "$old" ] || old=$dir/cert.pem
  else
    openssl ecparam -name prime256v1 -genkey -noout -out "$work/key.pem" 2>/dev/null || fail 'openssl made no key'
  fi
  certify
  openssl verify -CAfile "$work/operational.ca" "$work/operational.pem" >/dev/null 2>&1 ||
    say 'enroll: warning: the certificate does not verify here yet; is the clock of this device right?'

  if ! cmp -s "$work/key.pem" "$dir/key.pem"; then
    [ -f "$dir/key.pem" ] && mv "$dir/key.pem" "$dir/key.pem.before-yunxun"
    put "$dir/key.pem" 600 <"$work/key.pem"
  fi
  put "$dir/operational.pem" 644 <"$work/operational.pem"
  put "$dir/operational.ca" 644 <"$work/operational.ca"
  # the firmware's discovery copies gateway.flash to gateway.json whenever it starts over
  for file in gateway.json gateway.flash; do
    printf '{"server":"%s","port":%s,"valid":true,"hostname_validate":1,"cert":"/etc/ucentral/operational.pem","ca":"/etc/ucentral/operational.ca"}\n' "$server" "$port" |
      put "$dir/$file" 644
  done
  keep
  for service in ucentral cloud_discover; do
    [ -x "$root/etc/init.d/$service" ] && "$root/etc/init.d/$service" restart >/dev/null 2>&1
  done
  say "Done. $serial connects to $server:$port; the console shows it in a moment."
}

main "$1" "$2"
`;
