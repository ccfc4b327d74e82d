import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatMoment } from '../domain/calendars/time.ts'
import { momentTexts } from './moment-texts.ts'

test('every moment is shown as it is alone, whatever stood before it', () => {
  const moment = fc.option(fc.integer({ min: -1, max: 3 }).map((halves) => 1_795_219_200_000 + halves * 500))
  fc.assert(
    fc.property(fc.array(moment), (moments) => {
      const textAt = momentTexts((place) => moments[place])
      const alone = moments.map((at) => (at === null ? null : formatMoment(at)))
      expect(moments.map((_at, place) => textAt(place))).toEqual(alone)
    }),
  )
})
