import { Readable } from 'node:stream'
import sql from 'sql-template-tag'
import { lastGoodScreenshot } from '../../history/good-screenshots.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { integer, moment, object, text } from '../../rest/fields.ts'
import { locatedRow } from '../../rest/locate.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse } from '../../rest/problems.ts'
import { downloadAnswers, downloadGuards } from './download.ts'

const path = '/services/{_id}/history/status_changes/{_change_id}/last_good_screenshot/plain'

/** For a status change: the newest picture of the page from before the failure. */
export const goodScreenshotField = object(
  {
    analysis_id: text({ about: 'The analysis that found the page good.', example: '179539278012300' }),
    time: moment({ about: 'When that analysis was decided.' }),
    sensor_id: integer({ about: 'The station that took the picture.', example: 1 }),
    sensor_name: text({ nullable: true, about: 'Null for a station that is gone.', example: 'Gdańsk' }),
    size: integer({ minimum: 1, about: 'Bytes that can be downloaded.', example: 65_536 }),
  },
  {
    readOnly: true,
    computed: true,
    embedOnly: true,
    nullable: true,
    about:
      'The page before the failure: the newest picture from a good check. One is taken each UTC day with the first good check of a service in a browser. Null for other types and states, and where there is no picture.',
    column: ({ alias }) =>
      lastGoodScreenshot(
        alias,
        sql`jsonb_build_object('analysis_id', lpad(p.analysis_id::text, 15, '0'),
          'time', to_char(p.taken_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'sensor_id', p.sensor_id,
          'sensor_name', (select name from sensors where sensors.id = p.sensor_id), 'size', length(p.picture))`,
      ),
    example: {
      ...{ analysis_id: '179539278012300', time: '2026-11-22T00:00:04Z', sensor_id: 1, sensor_name: 'Gdańsk' },
      size: 65_536,
    },
  },
)

async function download(call: Call) {
  const change = await locatedRow(call.registry.get('status_changes'), call, { flags: [] })
  const [serviceId, changeId] = [Number(change['service_id']), Number(change['change_key'])]
  const members = sql`jsonb_build_object('day', p.day, 'type_id', p.type_id)`
  const [found] = await call.database.query<{ digest: string; picture: Buffer }>(sql`
    select p.digest, p.picture from status_changes c
    cross join lateral ${lastGoodScreenshot(sql`c`, members)} as newest (picture_key)
    join good_screenshots p on p.service_id = c.service_id and p.day = (newest.picture_key->>'day')::date
      and p.type_id = newest.picture_key->>'type_id'
    where c.service_id = ${serviceId} and c.change_id = ${changeId}`)
  const { digest, picture } = found ?? refuse('not_found')
  return {
    status: 200,
    content: {
      ...{ size: picture.length, digest },
      open: async ({ start, end }: { readonly start: number; readonly end: number }) =>
        Readable.from([picture.subarray(start, end)]),
    },
    headers: {
      'Content-Type': 'image/jpeg',
      ...downloadGuards(`service-${serviceId}-failure-${change['change_id']}-last-good-screenshot.jpg`),
    },
  }
}

export const goodScreenshotOperation: Operation = {
  id: 'status_changes.last_good_screenshot',
  method: 'GET',
  path,
  tag: 'history',
  summary: 'Picture of the page before a failure',
  about:
    'The picture that `last_good_screenshot` of the status change tells of, a JPEG. Downloaded, never shown inline. Takes a Range of bytes, with or without If-Range. 404 where there is none.',
  access: 'customer',
  parameters: pathParameters(path),
  answers: downloadAnswers({ contentType: 'image/jpeg', schema: { type: 'string', format: 'binary' } }),
  hasRanges: true,
  refusals: [416],
  handle: download,
}
