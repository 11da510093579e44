# Whorl: build, check, show, install. `make` alone tells what there is.

PREFIX ?= /usr
SYSCONFDIR ?= /etc
DESTDIR ?=

BUILD_PACKAGES = libpam0g-dev libsodium-dev libsqlite3-dev libsystemd-dev libfprint-2-dev pkgconf lld
HOST_PACKAGES = dbus polkitd fprintd libpam-fprintd libpam-wrapper systemd python3 python3-dbus python3-gi
TEST_PACKAGES = $(BUILD_PACKAGES) $(HOST_PACKAGES) python3-dbusmock util-linux procps
DEMO_PACKAGES = $(BUILD_PACKAGES) $(HOST_PACKAGES)

.PHONY: help
help:
	@echo "make demo        the main job for real, under one folder on a private bus"
	@echo "make demo-shell  the same, then a shell to type your own commands in"
	@echo "make test        every test, against real PAM, fprintd, polkit and logind's mock"
	@echo "make bench       the benchmarks"
	@echo "make build       the four programs, optimized"
	@echo "make install     into DESTDIR, below PREFIX ($(PREFIX)) and SYSCONFDIR ($(SYSCONFDIR))"
	@echo "make uninstall   takes out what install put there"
	@echo "make format      formats the sources; make lint checks them"

# Installs what is missing of $(1), and says what.
define need
	@missing=""; for package in $(1); do \
	  dpkg-query -W -f '$${Status}' $$package 2>/dev/null | grep -q 'install ok installed' || missing="$$missing $$package"; \
	done; \
	if [ -n "$$missing" ]; then \
	  echo "Installing from Debian's packages:$$missing"; \
	  { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $$missing; } >/tmp/whorl-packages.log 2>&1 \
	    || { tail -n 5 /tmp/whorl-packages.log; echo "Install these packages and try again:$$missing"; exit 1; }; \
	fi
endef

.PHONY: build
build:
	$(call need,$(BUILD_PACKAGES))
	swift build -c release

.PHONY: test
test:
	$(call need,$(TEST_PACKAGES))
	swift test --no-parallel

.PHONY: lint
lint:
	swift format lint --strict -r Package.swift Sources Tests

.PHONY: format
format:
	swift format -i -r Package.swift Sources Tests
