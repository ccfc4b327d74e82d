import { readFileSync } from 'node:fs'

/** The pages of the guide in the order of reading. */
export const guidePages = [
  'first-steps',
  'alerts',
  'failures',
  'maintenance',
  'heartbeats',
  'status-page',
  'as-code',
] as const

export type GuidePage = (typeof guidePages)[number]

/** A fenced block: commands of a shell, or a file that the reader saves. */
export type Block = { readonly commands: string } | { readonly file: string; readonly text: string }

/** The blocks of a page. A block of another kind is refused, so that no command hides in one. */
export function blocksOf(text: string): readonly Block[] {
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, kind, content = '']) => {
    if (kind === 'sh') return { commands: content }
    const file = /^# ([\w.-]+)\n/.exec(content)?.[1]
    if (kind === 'yaml' && file !== undefined) return { file, text: content }
    throw new Error(`A block of the guide is "sh", or "yaml" that begins with the name of its file, not "${kind}"`)
  })
}

export const blocksIn = (folder: string, page: string): readonly Block[] =>
  blocksOf(readFileSync(`${folder}/${page}.md`, 'utf8'))
