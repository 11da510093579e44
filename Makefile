# Whorl: build, try, check, install. `make help` lists the targets.

PREFIX ?= /usr
SYSCONFDIR ?= /etc
DESTDIR ?=
SWIFT ?= swift
# Seconds for each target of “make fuzz”, and the targets, all where none is named.
FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?=

# Where libpam looks for modules.
PAMMODULEDIR ?= $(PREFIX)/lib/$(shell gcc -print-multiarch)/security

PROGRAMS = whorl whorld whorl-pam-worker whorl-print-reader whorl-lint whorl-keyring \
  whorl-secret-service whorl-prompt
HELPERS = whorld whorl-pam-worker whorl-print-reader whorl-lint whorl-keyring whorl-secret-service \
  whorl-prompt
RELEASE = .build/release
MODULE = $(RELEASE)/libpam_whorl.so

BINDIR = $(DESTDIR)$(PREFIX)/bin
LIBEXECDIR = $(DESTDIR)$(PREFIX)/libexec/whorl
UNITDIR = $(DESTDIR)$(PREFIX)/lib/systemd/system
ACTIONDIR = $(DESTDIR)$(PREFIX)/share/polkit-1/actions
MODULEDIR = $(DESTDIR)$(PAMMODULEDIR)
MANDIR = $(DESTDIR)$(PREFIX)/share/man
LOCALEDIR = $(DESTDIR)/usr/share/locale
BASHDIR = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSHDIR = $(DESTDIR)$(PREFIX)/share/zsh/vendor-completions
PROFILEDIR = $(DESTDIR)$(PREFIX)/share/pam-configs
STACKDIR = $(DESTDIR)$(PREFIX)/share/doc/whorl/stacks
FISHDIR = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
PAMDIR = $(DESTDIR)$(SYSCONFDIR)/pam.d
CONFDIR = $(DESTDIR)$(SYSCONFDIR)/whorl

SERVICES = pam/whorl-biometry pam/whorl-passcode
PROFILES = $(wildcard pam/pam-configs/*)
STACKS = $(wildcard pam/stacks/*)
SOCKETS = whorl.socket whorl-pam-worker.socket whorl-print-reader.socket
UNITS = $(wildcard systemd/*.service systemd/*.socket)
ACTIONS = $(wildcard polkit/*.policy)
# Languages of pam_whorl, whose catalogs libc looks up in /usr/share/locale.
LANGUAGES = $(patsubst pam/po/%.po,%,$(wildcard pam/po/*.po))

# Debian's packages, beside Swift 6.3. None of them changes the machine's PAM stacks:
# libpam-fprintd leaves its profile off, and libpam-gnome-keyring, which would not, is unpacked only.
BUILD_PACKAGES = gcc gettext libc6-dev lld pkgconf libpam0g-dev libfprint-2-dev libsodium-dev libssl-dev \
  libsqlite3-dev libsystemd-dev libsecret-1-dev
# The demo: a bus, fprintd with libfprint's virtual reader, pam_fprintd, pam_matrix for the
# password, systemd-socket-activate, and Python for the finger and the typing hand.
DEMO_PACKAGES = $(BUILD_PACKAGES) dbus polkitd fprintd libpam-fprintd libpam-wrapper systemd \
  python3 python3-dbus python3-gi
# The tests: logind comes from dbusmock.
TEST_PACKAGES = $(DEMO_PACKAGES) python3-dbusmock fish git gnome-keyring gnupg groff-base keepassxc \
  libglib2.0-bin libsecret-tools pamtester pinentry-curses passwd python3-jsonschema util-linux procps zsh
# Their files are enough: installed, they would change the machine's PAM stacks.
UNPACKED_PACKAGES = libpam-gnome-keyring
# The benchmark: what it is compared with.
BENCH_PACKAGES = $(TEST_PACKAGES)

.DEFAULT_GOAL := help
.PHONY: help deps build demo demo-shell test fuzz sanitize bench install uninstall format lint

help: ## list the targets
	@printf 'make TARGET, from a checkout, with Swift 6.3:\n\n'
	@sed -n 's/^\([a-z-]*\):[^#]*## /  \1\t/p' Makefile | expand -t 15
	@printf '\nVariables: DESTDIR, PREFIX=%s, SYSCONFDIR=%s, FUZZ_SECONDS=%s\n' \
	  '$(PREFIX)' '$(SYSCONFDIR)' '$(FUZZ_SECONDS)'

deps: ## install the Debian packages that build, demo and tests need
	@Tests/packages.sh $(TEST_PACKAGES)

# Colors are a flag of the compiler: with them, a build on a terminal and one into a file, each
# after the other, compile everything anew.
build: ## build everything, optimized
	@Tests/packages.sh $(BUILD_PACKAGES)
	$(SWIFT) build -c release --disable-local-rpath --no-color-diagnostics

demo: ## run the main job for real, under one temporary folder (root)
	@Tests/packages.sh $(DEMO_PACKAGES)
	@$(MAKE) --no-print-directory build
	@Tests/Demo/demo.sh $(RELEASE)

demo-shell: ## the same host as the demo's, and a shell to type your own commands (root)
	@Tests/packages.sh $(DEMO_PACKAGES)
	@$(MAKE) --no-print-directory build
	@Tests/Demo/demo.sh $(RELEASE) shell

test: ## run every test, on real PAM and fprintd (root)
	@Tests/packages.sh $(TEST_PACKAGES)
	@Tests/unpack.sh .build/unpacked $(UNPACKED_PACKAGES)
	$(SWIFT) build --build-tests
	Tests/halves.sh $$($(SWIFT) build --show-bin-path)/whorlPackageTests.xctest

fuzz: ## fuzz every parser of bytes from outside, FUZZ_SECONDS each
	@Tests/packages.sh $(BUILD_PACKAGES)
	FUZZ=1 $(SWIFT) build -c release --product whorl-fuzz --scratch-path .build/fuzz \
	  --sanitize fuzzer -Xswiftc -sanitize=fuzzer,address -Xswiftc -enable-testing \
	  -Xswiftc -use-ld=lld
	@Tests/Fuzz/fuzz.sh .build/fuzz/release/whorl-fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)

# Not under a sanitizer: what measures memory or limits files, of which a sanitizer has its own, and
# what shuts the programs in more tightly than a sanitizer bears. The PAM module is built without, since
# the programs that load it are.
SANITIZER ?= address
UNSANITIZED = DependentTests MemoryTests UnitTests ArenaTests LockingLimitTests \
  answers.that.nobody.receives secrets.on.their.way.in clients.who.never.read \
  nothing.that.was.released.or.typed a.limit.on.the.size.of.files

sanitize: ## run the tests under a sanitizer, SANITIZER=address or thread (root)
	@Tests/packages.sh $(TEST_PACKAGES)
	@Tests/unpack.sh .build/unpacked $(UNPACKED_PACKAGES)
	SANITIZE=1 $(SWIFT) build --build-tests --sanitize $(SANITIZER) -Xswiftc -use-ld=lld \
	  --scratch-path .build/$(SANITIZER)
	$(SWIFT) build --product pam_whorl
	cp .build/debug/libpam_whorl.so .build/$(SANITIZER)/debug/
	SANITIZE=1 Tests/namespace.sh Tests/sanitized.sh $(SWIFT) test --skip-build --no-parallel \
	  --sanitize $(SANITIZER) --scratch-path .build/$(SANITIZER) $(addprefix --skip ,$(UNSANITIZED))

bench: ## measure time and memory beside their bounds (root)
	@Tests/packages.sh $(BENCH_PACKAGES)
	@$(MAKE) --no-print-directory build
	@Tests/Bench/bench.sh $(RELEASE) .build/bench.json $(PARTS)

# Units and configuration name where things are put: a configuration elsewhere is named to whorld, and
# PAM services elsewhere in that configuration, since PAM looks for them in /etc alone.
ifneq ($(SYSCONFDIR),/etc)
MOVED_UNIT = -e 's|^ExecStart=.*/whorld$$|& --config $(SYSCONFDIR)/whorl/whorld.conf|'
MOVED_CONFIGURATION = -e 's|^\#pam-directory =.*|pam-directory = $(SYSCONFDIR)/pam.d|'
endif

# The programs are built first and apart, so that `sudo make install` does not build as root.
install: ## install what `make build` made
	@for program in $(PROGRAMS); do \
	  [ -x "$(RELEASE)/$$program" ] || { echo "run “make build” first" >&2; exit 1; }; \
	done
	@[ -e "$(MODULE)" ] || { echo "run “make build” first" >&2; exit 1; }
	install -d "$(BINDIR)" "$(LIBEXECDIR)" "$(MODULEDIR)" "$(UNITDIR)" "$(PAMDIR)" "$(CONFDIR)" \
	  "$(BASHDIR)" "$(ZSHDIR)" "$(FISHDIR)" "$(MANDIR)/man1" "$(MANDIR)/man5" "$(MANDIR)/man8"
	install -m 0755 "$(RELEASE)/whorl" "$(BINDIR)/whorl"
	for program in $(HELPERS); do \
	  install -m 0755 "$(RELEASE)/$$program" "$(LIBEXECDIR)/$$program" || exit 1; \
	done
	install -m 0644 "$(MODULE)" "$(MODULEDIR)/pam_whorl.so"
	install -m 0644 $(SERVICES) "$(PAMDIR)"
	install -d "$(PROFILEDIR)" "$(STACKDIR)"
	install -m 0644 $(PROFILES) "$(PROFILEDIR)"
	install -m 0644 $(STACKS) "$(STACKDIR)"
	install -m 0644 pam/man/pam_whorl.8 "$(MANDIR)/man8/pam_whorl.8"
	for language in $(LANGUAGES); do \
	  install -d "$(LOCALEDIR)/$$language/LC_MESSAGES" && \
	  msgfmt -o "$(LOCALEDIR)/$$language/LC_MESSAGES/whorl.mo" pam/po/$$language.po && \
	  chmod 0644 "$(LOCALEDIR)/$$language/LC_MESSAGES/whorl.mo" || exit 1; \
	done
	for unit in $(UNITS); do \
	  sed -e 's|/usr/libexec/whorl|$(PREFIX)/libexec/whorl|' $(MOVED_UNIT) $$unit \
	    >"$(UNITDIR)/$${unit##*/}" && \
	  chmod 0644 "$(UNITDIR)/$${unit##*/}" || exit 1; \
	done
ifneq ($(ACTIONS),)
	install -d "$(ACTIONDIR)"
	install -m 0644 $(ACTIONS) "$(ACTIONDIR)"
endif
	[ -e "$(CONFDIR)/whorld.conf" ] || { \
	  "$(RELEASE)/whorld" --print whorld.conf >"$(CONFDIR)/whorld.conf" && \
	  sed -i -e '' $(MOVED_CONFIGURATION) "$(CONFDIR)/whorld.conf"; }
	"$(RELEASE)/whorl" help man >"$(MANDIR)/man1/whorl.1"
	"$(RELEASE)/whorld" --print whorld.conf.5 >"$(MANDIR)/man5/whorld.conf.5"
	"$(RELEASE)/whorld" --print whorld.8 >"$(MANDIR)/man8/whorld.8"
	"$(RELEASE)/whorl" completions bash >"$(BASHDIR)/whorl"
	"$(RELEASE)/whorl" completions zsh >"$(ZSHDIR)/_whorl"
	"$(RELEASE)/whorl" completions fish >"$(FISHDIR)/whorl.fish"
	chmod 0644 "$(MANDIR)/man1/whorl.1" "$(MANDIR)/man5/whorld.conf.5" "$(MANDIR)/man8/whorld.8" \
	  "$(CONFDIR)/whorld.conf" "$(BASHDIR)/whorl" "$(ZSHDIR)/_whorl" "$(FISHDIR)/whorl.fish"
ifeq ($(DESTDIR),)
	@if [ -d /run/systemd/system ]; then set -ex; \
	  systemctl daemon-reload; \
	  systemctl enable --now whorld.service; \
	  systemctl try-restart whorld.service; \
	else \
	  echo 'systemd does not run here. Where it does, installed by a package, run:'; \
	  echo '  systemctl daemon-reload && systemctl enable --now whorld.service'; \
	fi
	@echo 'Installed. “whorl doctor” checks it.'
else
	@echo 'Installed below $(DESTDIR). On the machine itself run:'
	@echo '  systemctl daemon-reload && systemctl enable --now whorld.service'
endif

uninstall: ## remove what install put there; items and configuration stay
ifeq ($(DESTDIR),)
	@if [ -d /run/systemd/system ]; then set -x; \
	  systemctl disable --now $(SOCKETS) whorld.service; true; fi
endif
	rm -f "$(BINDIR)/whorl" "$(MODULEDIR)/pam_whorl.so"
	for program in $(HELPERS); do rm -f "$(LIBEXECDIR)/$$program"; done
	for service in $(notdir $(SERVICES)); do rm -f "$(PAMDIR)/$$service"; done
	for unit in $(notdir $(UNITS)); do rm -f "$(UNITDIR)/$$unit"; done
	for action in $(notdir $(ACTIONS)); do rm -f "$(ACTIONDIR)/$$action"; done
	rm -f "$(MANDIR)/man1/whorl.1" "$(MANDIR)/man5/whorld.conf.5" "$(MANDIR)/man8/whorld.8"
	rm -f "$(MANDIR)/man8/pam_whorl.8"
	for language in $(LANGUAGES); do \
	  rm -f "$(LOCALEDIR)/$$language/LC_MESSAGES/whorl.mo"; \
	done
	for profile in $(notdir $(PROFILES)); do rm -f "$(PROFILEDIR)/$$profile"; done
	for stack in $(notdir $(STACKS)); do rm -f "$(STACKDIR)/$$stack"; done
	for folder in "$(STACKDIR)" "$(patsubst %/,%,$(dir $(STACKDIR)))"; do [ ! -d "$$folder" ] || rmdir "$$folder"; done
	rm -f "$(BASHDIR)/whorl" "$(ZSHDIR)/_whorl" "$(FISHDIR)/whorl.fish"
	[ ! -d "$(LIBEXECDIR)" ] || rmdir "$(LIBEXECDIR)"
ifeq ($(DESTDIR),)
	@if [ -d /run/systemd/system ]; then set -x; systemctl daemon-reload; fi
endif
	@echo 'Kept: $(CONFDIR)/whorld.conf and /var/lib/whorl, which holds the items and their keys.'

format: ## format the sources
	$(SWIFT) format --in-place -r Package.swift Sources Tests

lint: ## check the format of the sources
	$(SWIFT) format lint --strict -r Package.swift Sources Tests
