import type { StatusPage } from '../../api/answers.ts'
import { wholeNumber } from '../../format/whole-number.ts'

export type Access = StatusPage['access']

const plainTheme = { accent: null, logo_artifact: null, logo_dark_artifact: null, logo_alt: '' } as const

/** The fields of a page's form. */
export function draftOf(page: Partial<StatusPage>) {
  return {
    slug: page.slug ?? '',
    title: page.title ?? '',
    description: page.description ?? '',
    language: String(page.language_id ?? 'en'),
    zone: String(page.time_zone_id ?? 'utc'),
    theme: page.theme ?? plainTheme,
    host: page.host ?? '',
    access: page.access ?? 'public',
    password: '',
    addresses: (page.allowed_addresses ?? []).join('\n'),
    isIndexed: page.is_indexed ?? true,
    delay: String(page.publish_after_seconds ?? 180),
    autoPublish: page.auto_publish ?? false,
    suspensions: page.shows_suspensions ?? false,
    weeklySuspensions: page.shows_weekly_suspensions ?? false,
  }
}

export type PageDraft = ReturnType<typeof draftOf>

export function bodyOf(draft: PageDraft) {
  const host = draft.host.trim()
  return {
    slug: draft.slug.trim(),
    title: draft.title,
    description: draft.description,
    language_id: draft.language,
    time_zone_id: draft.zone,
    theme: draft.theme,
    host: host === '' ? null : host,
    access: draft.access,
    ...(draft.password === '' ? {} : { password: draft.password }),
    allowed_addresses: draft.addresses.split(/\s+/).filter((address) => address !== ''),
    is_indexed: draft.isIndexed,
    publish_after_seconds: wholeNumber(draft.delay),
    auto_publish: draft.autoPublish,
    shows_suspensions: draft.suspensions,
    shows_weekly_suspensions: draft.weeklySuspensions,
  }
}

/** The fields that visitors see, as far as they are right by themselves. */
export function previewOf(draft: PageDraft, pageId: number | null) {
  const { title, description, language_id, time_zone_id, ...rest } = bodyOf(draft)
  const { accent } = draft.theme
  const isColor = accent !== null && /^#[0-9a-f]{6}$/i.test(accent)
  return {
    ...(pageId === null ? {} : { status_page_id: pageId }),
    ...(title.trim() === '' ? {} : { title }),
    ...{ description, language_id, time_zone_id },
    theme: { ...draft.theme, accent: isColor ? accent : null },
    shows_suspensions: rest.shows_suspensions,
    shows_weekly_suspensions: rest.shows_weekly_suspensions,
  }
}
