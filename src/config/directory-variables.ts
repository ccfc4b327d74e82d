import { resolve } from 'node:path'
import { isUsername } from '../domain/access/credentials.ts'
import { matching, onOrOff, text, variable, wholeNumber } from './variable.ts'

const folder = text
  .refine((path) => !path.includes('\0') && path.trim() === path, 'must be the path of a directory')
  .transform((path) => resolve(path))

interface DirectoryValues {
  readonly CONFIG_DIR: string | undefined
  readonly CONFIG_ACCOUNT: string | undefined
  readonly CONFIG_SECRETS_DIR: string | undefined
}

export function directoryContradictions(values: Partial<DirectoryValues>): string[] {
  const { CONFIG_DIR: directory, CONFIG_ACCOUNT: account, CONFIG_SECRETS_DIR: secrets } = values
  if (directory !== undefined)
    return account === undefined ? ['CONFIG_ACCOUNT: names the account that CONFIG_DIR changes'] : []
  return [
    ...(account === undefined ? [] : ['CONFIG_ACCOUNT: means nothing without CONFIG_DIR']),
    ...(secrets === undefined ? [] : ['CONFIG_SECRETS_DIR: means nothing without CONFIG_DIR']),
  ]
}

/** Variables of the watched directory of configuration as code. */
export const directoryVariables = {
  CONFIG_DIR: variable({
    defaultText: undefined,
    wrongText: ' /etc/latarnik ',
    schema: folder,
    type: 'path',
    meaning:
      'A directory of YAML files that the program applies when it starts and when they change; see [Configuration as code](configuration-as-code.md#a-watched-directory). Unset: none.',
  }),
  CONFIG_ACCOUNT: variable({
    defaultText: undefined,
    wrongText: 'no spaces',
    schema: matching(isUsername, 'must be 3 to 64 characters of a-z A-Z 0-9 . _ @ -'),
    type: 'text',
    meaning: 'Username of the account that `CONFIG_DIR` changes. The files can do what this account may do.',
  }),
  CONFIG_PRUNE: variable({
    defaultText: 'off',
    wrongText: 'yes',
    schema: onOrOff,
    type: '`on` or `off`',
    meaning: 'Whether objects with the mark of the files of `CONFIG_DIR` are deleted when no file has them any more.',
  }),
  CONFIG_REPAIR_SECONDS: variable({
    defaultText: '300',
    wrongText: '9',
    schema: wholeNumber(10, 86_400),
    type: 'number',
    meaning: 'How often the same files of `CONFIG_DIR` are applied again, which sets right what was changed by hand.',
  }),
  CONFIG_SECRETS_DIR: variable({
    defaultText: undefined,
    wrongText: ' /run/secrets ',
    schema: folder,
    type: 'path',
    meaning:
      'A second directory whose files may be named as secrets, `file:/run/secrets/slack`, by those of `CONFIG_DIR`.',
  }),
}
