import type { ApiReply, ApiRequest } from '../../configuration/api.ts'
import type { DirectoryReport, DirectoryTask } from '../../configuration/directory/directory-task.ts'

/** The messages between the API and the process that applies a directory. */

export type ToChild =
  | { readonly kind: 'task'; readonly task: DirectoryTask; readonly origin: string }
  | { readonly kind: 'reply'; readonly id: number; readonly reply: ApiReply }
  | { readonly kind: 'refusal'; readonly id: number; readonly reason: string }

export type ToParent =
  | { readonly kind: 'ready' }
  | { readonly kind: 'request'; readonly id: number; readonly request: ApiRequest }
  | { readonly kind: 'report'; readonly report: DirectoryReport }
