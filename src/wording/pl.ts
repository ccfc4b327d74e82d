import type { Catalogue } from './catalogue.ts'
import { accountability } from './pl/accountability.ts'
import { dictionaries } from './pl/dictionaries.ts'
import { guide } from './pl/guide.ts'
import { letters } from './pl/letters.ts'
import { notices } from './pl/notices.ts'
import { pages } from './pl/pages.ts'
import { periodicReports } from './pl/periodic-reports.ts'
import { problems } from './pl/problems.ts'
import { reports } from './pl/reports.ts'
import { statusPages } from './pl/status-pages.ts'
import { subscriptions } from './pl/subscriptions.ts'
import { templates } from './pl/templates.ts'
import { warnings } from './pl/warnings.ts'

export const pl: Catalogue = {
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
