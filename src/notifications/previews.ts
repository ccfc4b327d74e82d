import { previewRequest } from './request-preview.ts'
import { previewMessage } from './template-preview.ts'

/** Messages as the notifier would make them; nothing is kept and nothing is sent. */
export const previews = { message: previewMessage, request: previewRequest }
