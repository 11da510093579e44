#pragma once
// For secret-paths.h: an item by its path. It has been as it is since 2012.
#define SECRET_API_SUBJECT_TO_CHANGE
#include <libsecret/secret.h>

// What a failed call means; macros and error domains do not reach Swift.
enum whorl_secret_failure {
  WHORL_SECRET_OTHER,
  WHORL_SECRET_NO_SERVICE,
  WHORL_SECRET_LOCKED,
  WHORL_SECRET_GONE,
  WHORL_SECRET_MISSING,
  WHORL_SECRET_CANCELLED,
};

static inline enum whorl_secret_failure whorl_secret_failure(const GError *error) {
  if (error->domain == SECRET_ERROR) {
    if (error->code == SECRET_ERROR_IS_LOCKED) return WHORL_SECRET_LOCKED;
    if (error->code == SECRET_ERROR_NO_SUCH_OBJECT) return WHORL_SECRET_MISSING;
  }
  if (error->domain == G_IO_ERROR) {
    if (error->code == G_IO_ERROR_CANCELLED) return WHORL_SECRET_CANCELLED;
    if (error->code == G_IO_ERROR_TIMED_OUT) return WHORL_SECRET_CANCELLED;
    if (error->code == G_IO_ERROR_CLOSED || error->code == G_IO_ERROR_BROKEN_PIPE)
      return WHORL_SECRET_GONE;
  }
  if (error->domain == G_DBUS_ERROR) {
    switch (error->code) {
    case G_DBUS_ERROR_SERVICE_UNKNOWN:
    case G_DBUS_ERROR_NAME_HAS_NO_OWNER:
    case G_DBUS_ERROR_SPAWN_EXEC_FAILED:
    case G_DBUS_ERROR_SPAWN_CHILD_EXITED:
    case G_DBUS_ERROR_SPAWN_CHILD_SIGNALED:
    case G_DBUS_ERROR_SPAWN_FAILED:
    case G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND: return WHORL_SECRET_NO_SERVICE;
    case G_DBUS_ERROR_NO_REPLY:
    case G_DBUS_ERROR_DISCONNECTED: return WHORL_SECRET_GONE;
    case G_DBUS_ERROR_TIMEOUT:
    case G_DBUS_ERROR_TIMED_OUT: return WHORL_SECRET_CANCELLED;
    case G_DBUS_ERROR_UNKNOWN_OBJECT:
    // A deleted item answers so: its path has no interfaces left.
    case G_DBUS_ERROR_UNKNOWN_INTERFACE:
    case G_DBUS_ERROR_UNKNOWN_METHOD: return WHORL_SECRET_MISSING;
    default: return WHORL_SECRET_OTHER;
    }
  }
  return WHORL_SECRET_OTHER;
}

// A table of strings that frees what it holds.
static inline GHashTable *whorl_secret_attributes(void) {
  return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

// The paths that a property lists, as it was when the proxy was made; to be freed by g_strfreev.
static inline gchar **whorl_secret_paths(gpointer proxy, const gchar *property) {
  GVariant *list = g_dbus_proxy_get_cached_property(G_DBUS_PROXY(proxy), property);
  if (list == NULL) return NULL;
  const gboolean fits = g_variant_is_of_type(list, G_VARIANT_TYPE_OBJECT_PATH_ARRAY);
  gchar **paths = fits ? g_variant_dup_objv(list, NULL) : NULL;
  g_variant_unref(list);
  return paths;
}

// The path of an item or a collection, as long as that lives.
static inline const gchar *whorl_secret_path(gpointer proxy) {
  return g_dbus_proxy_get_object_path(G_DBUS_PROXY(proxy));
}
