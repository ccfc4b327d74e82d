import type { peopleWords } from './people-words.ts'

export const rightNames = [
  'can_modify_group',
  'can_modify_services',
  'can_create_services',
  'can_delete_services',
  'can_archive_services',
  'can_force_analyses',
] as const

export type RightName = (typeof rightNames)[number]
export type Rights = Readonly<Record<RightName, boolean>>

export const noRights: Rights = {
  can_modify_group: false,
  can_modify_services: false,
  can_create_services: false,
  can_delete_services: false,
  can_archive_services: false,
  can_force_analyses: false,
}

type Words = (typeof peopleWords)['en']

/** `may add services, may delete services`. */
export function rightsText(words: Words, rights: Rights): string {
  const given = rightNames.filter((name) => rights[name]).map((name) => words.rights[name])
  return given.length === 0 ? words.onlySees : given.join(', ')
}
