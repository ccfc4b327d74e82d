import { newToken } from '../../auth/tokens.ts'
import { countLogos, insertLogo, removeUnusedLogos } from '../../database/status-pages/page-logos.ts'
import { lacksPermission } from '../../domain/access/lacking-right.ts'
import { mayWrite } from '../../domain/access/permissions.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import { holds } from '../../domain/queries/condition.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { text } from '../../rest/fields.ts'
import { readBody } from '../../rest/input.ts'
import { refuse, refuseAny, refuseWith } from '../../rest/problems.ts'
import { maximumInteger } from '../../rest/schemas.ts'
import { ownerFacts, ownerField, ownerProblem } from '../on-call/references.ts'
import { type LogoPicture, mostLogoBytes, mostLogoPixels, pictureOf } from './logo-picture.ts'

/** Every third byte of base64 is its own. */
const mostCharacters = Math.ceil(mostLogoBytes / 3) * 4

const body = {
  owner_id: ownerField,
  content: text({
    about: 'The bytes of a PNG, JPEG, WebP or SVG picture in base64: at most 100 KB, and 2000 pixels wide and high.',
    required: true,
    multiline: true,
    minimumLength: 1,
    maximumLength: 4 * mostCharacters,
    example: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  }),
} as const

const shape = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'For `theme.logo_artifact` of a status page.' },
    content_type: { type: 'string' },
    width: { type: 'integer', minimum: 1, maximum: maximumInteger, description: 'Pixels.' },
    height: { type: 'integer', minimum: 1, maximum: maximumInteger, description: 'Pixels.' },
    size: { type: 'integer', minimum: 1, maximum: maximumInteger, description: 'Bytes.' },
  },
  required: ['id', 'content_type', 'width', 'height', 'size'],
  example: { id: 'LOGO', content_type: 'image/png', width: 1, height: 1, size: 70 },
} as const

const wrong = (detail: 'logo_picture' | 'logo_size') => refuse('incorrect_value', 'data.content', { detail })

function checked(content: string): { readonly bytes: Buffer; readonly picture: LogoPicture } {
  const bytes = Buffer.from(content, 'base64')
  if (bytes.byteLength > mostLogoBytes) wrong('logo_size')
  const picture = pictureOf(bytes) ?? wrong('logo_picture')
  if (Math.max(picture.width, picture.height) > mostLogoPixels) wrong('logo_size')
  return { bytes, picture }
}

/** Its id is a secret, so a page that is not public keeps its logo to itself. */
async function keep(call: Call, ownerId: number, { bytes, picture }: ReturnType<typeof checked>) {
  const { contentType, width, height } = picture
  const logo = { id: newToken(), content_type: contentType, content: bytes, width, height }
  await call.database.transaction(async (transaction) => {
    await removeUnusedLogos(transaction, ownerId, call.nowAt)
    if ((await countLogos(transaction, ownerId)) >= countLimits.statusPageLogos) {
      refuse('limit_exceeded', undefined, { limit: 'status_page_logos', value: countLimits.statusPageLogos })
    }
    await insertLogo(transaction, ownerId, logo, call.nowAt)
  })
  return { id: logo.id, content_type: contentType, width, height, size: bytes.byteLength }
}

const upload: Operation = {
  id: 'status_pages.upload_logo',
  method: 'POST',
  path: '/status_page_logos',
  tag: 'status_pages',
  summary: 'Upload a logo for status pages',
  about:
    'A page shows it once its `theme.logo_artifact` names it. One that no page of the owner names for a day is removed. A drawing never runs its scripts.',
  access: 'customer',
  body,
  answers: { 201: { about: 'Kept.', schema: shape } },
  async handle(call) {
    if (!holds(mayWrite(call.caller), {})) refuseWith(lacksPermission(call.caller, 'update'))
    const { values, problems } = readBody(body, call.body, call.nowAt)
    refuseAny(problems)
    const given = values as { readonly owner_id?: number; readonly content: string }
    const owner = ownerFacts(call, given, null)
    refuseAny(ownerProblem(owner))
    return { status: 201, body: await keep(call, owner.ownerId, checked(given.content)) }
  },
}

/** The pictures of pages. */
export const pageLogos: readonly Operation[] = [upload]
