const kept = ['PATH', 'HOME', 'USER', 'LOGNAME', 'TMPDIR', 'TZ', 'LANG', 'LANGUAGE']
/** Variables of the system's loader, of languages and fonts, and of Node.js. */
const keptBeginnings = ['LC_', 'LD_', 'XDG_', 'FONTCONFIG_', 'NODE_', 'PLAYWRIGHT_']

/**
 * The environment of child processes. Ours holds the secrets of the configuration and of other programs (an object
 * store's, a collector's). A child gets its settings by other ways, and may read strangers' data or run as another
 * user.
 */
export function childEnvironment(): NodeJS.ProcessEnv {
  const isKept = (name: string) => kept.includes(name) || keptBeginnings.some((beginning) => name.startsWith(beginning))
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isKept(name)))
}
