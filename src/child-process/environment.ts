const kept = ['PATH', 'HOME', 'USER', 'LOGNAME', 'TMPDIR', 'TZ', 'LANG', 'LANGUAGE']
/** Of the system's loader, of languages and fonts, and of Node.js. */
const keptBeginnings = ['LC_', 'LD_', 'XDG_', 'FONTCONFIG_', 'NODE_', 'PLAYWRIGHT_']

/**
 * The environment of what we start. Ours holds the secrets of the configuration, by names of ours and of others (an object store's, a
 * collector's); a child is told what it needs by other ways, and may read what strangers wrote or run as another user.
 */
export function childEnvironment(): NodeJS.ProcessEnv {
  const isKept = (name: string) => kept.includes(name) || keptBeginnings.some((beginning) => name.startsWith(beginning))
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isKept(name)))
}
