import { resolve } from 'node:path'
import * as z from 'zod'
import { serversOf, WrongServers } from '../database/servers.ts'
import { address, onOrOff, split, text, variable } from './variable.ts'

const keyText = text.regex(/^[!-~]{3,256}$/, 'must be 3 to 256 characters without blanks')
const natsServers = text.transform(split).pipe(z.array(address('nats:', 'tls:')))

const oneDatabase = address('postgres:', 'postgresql:')

/** Several servers are no URL for Node.js, but each of them is. */
const databaseAddress = text.superRefine((url, context) => {
  try {
    const { all } = serversOf(url)
    const wrong = all.map((server) => oneDatabase.safeParse(server.url)).find(({ success }) => !success)
    if (wrong?.error !== undefined) context.addIssue({ code: 'custom', message: wrong.error.issues[0]?.message ?? '' })
  } catch (error) {
    if (!(error instanceof WrongServers)) throw error
    context.addIssue({ code: 'custom', message: error.message })
  }
})

/** Variables of all stored data, and of the connections between the processes that share them. */
export const storageVariables = {
  DATA_DIR: variable({
    defaultText: './data',
    wrongText: null,
    schema: text.transform((path) => resolve(path)),
    type: 'directory',
    meaning: 'Directory of the embedded database, the mail outbox and other files.',
  }),
  S3_BUCKET: variable({
    defaultText: undefined,
    wrongText: 'A',
    schema: text.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket'),
    type: 'text',
    meaning: 'Bucket for the evidence of failed checks; unset: `DATA_DIR/artifacts`.',
  }),
  S3_PREFIX: variable({
    defaultText: undefined,
    wrongText: 'a',
    schema: text.regex(
      /^(?!\/)(?!.*\/\/)[\w!.*'()/-]{1,200}\/$/,
      'must be letters, digits and dashes, and end in a slash',
    ),
    type: 'text',
    meaning: 'Prefix of every key in the bucket; everything below it belongs to this installation alone. Unset: none.',
  }),
  S3_ENDPOINT: variable({
    defaultText: undefined,
    wrongText: 'host',
    schema: address('http:', 'https:').refine(
      (url) => !URL.canParse(url) || new URL(url).username + new URL(url).password === '',
      'must hold no credentials; they have variables of their own',
    ),
    type: 'URL',
    isSecret: true,
    meaning: 'An S3-compatible store, of evidence and of exported status pages; unset: Amazon’s.',
  }),
  S3_REGION: variable({
    defaultText: 'us-east-1',
    wrongText: 'a b',
    schema: text.regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a region'),
    type: 'text',
    meaning: 'Region of the bucket.',
  }),
  S3_ACCESS_KEY_ID: variable({
    defaultText: undefined,
    wrongText: 'a b',
    schema: keyText,
    type: 'text',
    isSecret: true,
    meaning: 'Access key of the store; unset: Amazon’s SDK finds it (`AWS_…` variables, profile, role of the machine).',
  }),
  S3_SECRET_ACCESS_KEY: variable({
    defaultText: undefined,
    wrongText: 'a b',
    schema: keyText,
    type: 'text',
    isSecret: true,
    meaning: 'Secret of that key.',
  }),
  DATABASE_URL: variable({
    defaultText: undefined,
    wrongText: 'mysql://secret@host',
    schema: databaseAddress,
    type: 'URL',
    isSecret: true,
    meaning:
      'A PostgreSQL server, 15 or newer, or several of which one accepts writes: `postgres://user:password@a:5432,b:5432/latarnik?target_session_attrs=read-write`; unset: the embedded one.',
  }),
  CITUS: variable({
    defaultText: 'off',
    wrongText: 'perhaps',
    schema: onOrOff,
    type: '`on` or `off`',
    meaning:
      'Whether `DATABASE_URL` is the coordinator of a Citus cluster; the next start distributes the history over its machines.',
  }),
  NATS_URL: variable({
    defaultText: undefined,
    wrongText: 'http://host:4222',
    schema: natsServers,
    type: 'URL list',
    isSecret: true,
    meaning:
      'NATS servers, `nats://user:password@host:4222` or `tls://…`, through which processes of one `DATABASE_URL` exchange messages; unset: through the database.',
  }),
}
