/** The typed client of the API: `import { createClient } from 'latarnik/client'`. */
export { type Client, createClient, type Reply } from './create-client.ts'
export type { EventOptions, StreamEvent } from './events.ts'
export type { AnswerAt, BodyAt, Known, PathAt, RowAt } from './filled.ts'
export type {
  Answer,
  Arguments,
  Init,
  LineOf,
  LinesPath,
  Method,
  PathOf,
  RequestOptions,
  Schemas,
} from './operations.ts'
export { type Problem, ProblemError, UnreachableError } from './problem-error.ts'
export { blocksOf, linesOf, type StreamBlock } from './streams.ts'
export type { ClientOptions, Login, Retry, SentRequest } from './transport.ts'
