import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Both the source and the bundle lie somewhere below the package. */
export function packageDirectory(): string {
  let at = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(at, 'package.json')) && at !== dirname(at)) at = dirname(at)
  return at
}

/** The output folder of `npm run build`. */
export function consoleDirectory(): string {
  return join(packageDirectory(), 'dist/console')
}

/** The files that every page loads, as recorded by the build. */
interface FirstFiles {
  readonly script: string
  readonly style: string
  readonly icon: string
  /** The script of the login pages. */
  readonly passkeyLogin: string
  /** Files that the script loads at once. */
  readonly preloaded: readonly string[]
}

/** Null: the console is not built. */
export function firstFiles(directory: string): FirstFiles | null {
  const path = join(directory, 'first-files.json')
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as FirstFiles) : null
}

/** The document of every path of the console. `prefix` is the path of PUBLIC_URL without a slash at its end. */
export function documentOf({ script, style, icon, preloaded }: FirstFiles, prefix: string): string {
  const at = (file: string) => `${prefix}/console/${file}`
  return `<!doctype html>
<html lang="en" data-prefix="${prefix}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Latarnik</title>
<link rel="icon" type="image/svg+xml" href="${at(icon)}">
<link rel="stylesheet" href="${at(style)}">
${preloaded.map((file) => `<link rel="modulepreload" href="${at(file)}">\n`).join('')}<script type="module" src="${at(script)}"></script>
</head>
<body>
<noscript>Latarnik needs JavaScript here. <a href="${prefix}/v3/public/doc/">The API</a> does not.</noscript>
<div id="root"></div>
</body>
</html>
`
}
