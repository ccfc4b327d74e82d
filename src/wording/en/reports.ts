import type { ReportTexts } from '../catalogue.ts'

export const reports: ReportTexts = {
  failures: {
    failed:
      'The report could not be made because of a fault of the program. The fault is on record; create the report again.',
    interrupted:
      'The making of the report was interrupted too many times. Create the report again, for a shorter time or fewer services.',
  },
}
