import type { Catalogue } from './catalogue.ts'
import { accountability } from './en/accountability.ts'
import { dictionaries } from './en/dictionaries.ts'
import { guide } from './en/guide.ts'
import { letters } from './en/letters.ts'
import { notices } from './en/notices.ts'
import { pages } from './en/pages.ts'
import { periodicReports } from './en/periodic-reports.ts'
import { problems } from './en/problems.ts'
import { reports } from './en/reports.ts'
import { statusPages } from './en/status-pages.ts'
import { subscriptions } from './en/subscriptions.ts'
import { templates } from './en/templates.ts'
import { warnings } from './en/warnings.ts'

export const en: Catalogue = {
  problems,
  dictionaries,
  notices,
  letters,
  warnings,
  pages,
  statusPages,
  accountability,
  subscriptions,
  guide,
  reports,
  periodicReports,
  templates,
}
