import type { IconName } from '../parts/icon.tsx'
import type { shellWords } from './words.ts'

/**
 * The parts of the console in order; `key` opens one after `g`. The first four are on a phone's bar, the others behind
 * "More".
 */
export const sections = [
  { path: '/services', name: 'services', icon: 'list', key: 's' },
  { path: '/notifications', name: 'notifications', icon: 'bell', key: 'n' },
  { path: '/calendar', name: 'calendar', icon: 'suspended', key: 'c' },
  { path: '/reports', name: 'reports', icon: 'report', key: 'r' },
  { path: '/on-call', name: 'onCall', icon: 'seen', key: 'd' },
  { path: '/stations', name: 'stations', icon: 'station', key: 't' },
  { path: '/wallboards', name: 'wallboards', icon: 'wall', key: 'w' },
  { path: '/status-pages', name: 'statusPages', icon: 'ok', key: 'p' },
  { path: '/account', name: 'account', icon: 'person', key: 'a' },
] as const satisfies readonly Section[]

/** The sections of administrators. */
export const administratorSections: readonly Section[] = [
  { path: '/admin', name: 'administration', icon: 'person', key: 'a' },
  { path: '/installation', name: 'installation', icon: 'station', key: 'i' },
]

type Words = (typeof shellWords)['en']

export interface Section {
  readonly path: string
  readonly name: {
    [Name in keyof Words]: Words[Name] extends string ? Name : never
  }[keyof Words]
  readonly icon: IconName
  readonly key: string
}
