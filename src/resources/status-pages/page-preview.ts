import type { Database } from '../../database/connect.ts'
import { type PageRow, readPageOfId } from '../../database/status-pages/status-page-rows.ts'
import { readAccountWords } from '../../database/status-pages/status-pages.ts'
import { ownOrParents } from '../../domain/access/permissions.ts'
import { holds } from '../../domain/queries/condition.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { integer } from '../../rest/fields.ts'
import { readBody } from '../../rest/input.ts'
import { refuse, refuseAny } from '../../rest/problems.ts'
import { ownerFacts, ownerField, ownerProblem } from '../on-call/references.ts'
import { pageFields } from './page-fields.ts'
import { type PageTheme, strangeLogos, themeProblems } from './page-theme.ts'

export interface PagePreview {
  readonly html: string
  /** The accent as the page shows it. */
  readonly accents: { readonly light: string; readonly dark: string }
}

/** Renders a page that is not saved, as the public would see it. */
export type PreviewPage = (
  database: Database,
  page: PageRow,
  options: { readonly publicUrl: string; readonly now: number },
) => Promise<PagePreview>

const { title, description, language_id, time_zone_id, theme, ...others } = pageFields
const { publish_after_seconds, shows_suspensions, shows_weekly_suspensions } = others

const body = {
  owner_id: ownerField,
  status_page_id: integer({
    about: 'The page whose components and incidents are shown; null: none.',
    nullable: true,
    example: null,
  }),
  ...{ title: { ...title, required: false }, description, language_id, time_zone_id, theme },
  ...{ publish_after_seconds, shows_suspensions, shows_weekly_suspensions },
}

type Given = Partial<PageRow> & { readonly status_page_id?: number | null; readonly theme?: PageTheme }

const nowhere: Omit<PageRow, 'owner_id' | 'language_id' | 'time_zone_id' | 'created_at' | 'updated_at'> = {
  ...{ id: 0, slug: 'preview', title: '', description: '', theme: {}, access: 'public' },
  ...{ host: null, host_proven_at: null, host_is_free: false },
  ...{ password_hash: null, link_digest: null, allowed_addresses: [], is_indexed: false, version: 0 },
  ...{ publish_after_seconds: 180, shows_suspensions: false, shows_weekly_suspensions: false },
}

/** The saved page with what is given, or a new one of that owner. */
async function draftOf(call: Call, { status_page_id: id = null, ...given }: Given): Promise<PageRow> {
  const page = id === null ? undefined : await readPageOfId(call.database, id)
  if (id !== null && (page === undefined || !holds(ownOrParents(call.caller), { owner_id: page.owner_id }))) {
    refuse('incorrect_value', 'data.status_page_id', { detail: 'object_of_owner' })
  }
  if (page !== undefined) return { ...page, ...given, owner_id: page.owner_id }
  const owner = ownerFacts(call, given, null)
  refuseAny(ownerProblem(owner))
  const words = { language_id: 'en', time_zone_id: 'utc', ...(await readAccountWords(call.database, owner.ownerId)) }
  const moments = { created_at: call.nowAt, updated_at: call.nowAt }
  return { ...nowhere, ...words, ...moments, ...given, owner_id: owner.ownerId }
}

/** `POST /status_pages/preview`: nothing is kept. */
export function pagePreview(previewPage: PreviewPage): Operation {
  return {
    id: 'status_pages.preview',
    method: 'POST',
    path: '/status_pages/preview',
    tag: 'status_pages',
    summary: 'Show a status page before it is saved',
    about:
      'The document of the page with these fields, and with the components and published incidents of `status_page_id`. Nothing is kept. `accents` has the accent as the page shows it: made readable on a light and on a dark ground.',
    access: 'customer',
    body,
    answers: {
      200: {
        about: 'The page. Its links lead nowhere.',
        schema: {
          type: 'object',
          properties: {
            html: { type: 'string' },
            accents: {
              type: 'object',
              properties: { light: { type: 'string' }, dark: { type: 'string' } },
              required: ['light', 'dark'],
            },
          },
          required: ['html', 'accents'],
          example: { html: '<!doctype html>…', accents: { light: '#1f6feb', dark: '#3f83ee' } },
        },
      },
    },
    async handle(call) {
      const { values, problems } = readBody(body, call.body, call.nowAt)
      refuseAny(problems)
      const page = await draftOf(call, values as Given)
      const strange = await call.database.transaction((transaction) =>
        strangeLogos(transaction, page.owner_id, page.theme, call.nowAt),
      )
      refuseAny(themeProblems(strange))
      const publicUrl = call.baseUrl.replace(/\/v3$/, '')
      return { status: 200, body: await previewPage(call.database, page, { publicUrl, now: call.nowAt }) }
    },
  }
}
