import type { Operation, ParameterDescription } from '../../rest/call.ts'

const headers = {
  'Content-Disposition': 'File name.',
  ETag: 'Version of the bytes.',
  'Accept-Ranges': 'bytes',
}

type Answered = Omit<NonNullable<Operation['answers']>[number], 'about' | 'headers'>

/** Bytes of evidence, whole or a range of them. */
export function downloadAnswers(bytes: Answered): Operation['answers'] {
  return {
    200: { about: 'The bytes, with their own content type.', ...bytes, headers },
    206: {
      about: 'The bytes that the Range header asks for.',
      ...bytes,
      headers: { ...headers, 'Content-Range': 'Which bytes of how many.' },
    },
  }
}

/** A stranger's bytes are downloaded under a name of ours and never shown as a page of ours. */
export function downloadGuards(fileName: string) {
  return {
    'Content-Disposition': `attachment; filename="${fileName}"`,
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
  }
}

/** The token of a link that needs no login. */
export const linkToken: ParameterDescription = {
  name: 'token',
  in: 'query',
  about: 'The token of the link.',
  schema: { type: 'string', maxLength: 5000 },
  isRequired: true,
}
