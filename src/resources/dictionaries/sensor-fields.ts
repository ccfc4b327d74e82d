import sql from 'sql-template-tag'
import { coordinateBounds } from '../../domain/services/coordinates.ts'
import { readRecentRounds, recentRoundCount } from '../../history/recent-rounds.ts'
import { decimal, integer, object } from '../../rest/fields.ts'

const told = { nullable: true, filter: true, sort: true } as const

/** Where a station stands. */
export const coordinateFields = <const More extends object>(more: More) => ({
  latitude: decimal({
    ...{ ...told, ...coordinateBounds.latitude, ...more },
    about: 'Degrees north of the equator (WGS 84), where it stands. Null, with the longitude: nobody said so.',
    example: 54.352,
  }),
  longitude: decimal({
    ...{ ...told, ...coordinateBounds.longitude, ...more },
    about: 'Degrees east of Greenwich (WGS 84). Null, with the latitude: nobody said so.',
    example: 18.6466,
  }),
})

/** A station's recent results, on request. */
export const recentRoundsField = object(
  {
    rounds: integer({ about: 'Rounds with a verdict in which it could tell something.', example: 998 }),
    agreement: decimal({
      nullable: true,
      about: 'Share of them in which it said what the verdict said. Null: none.',
      example: 0.998,
    }),
    lag: integer({
      nullable: true,
      about:
        'Milliseconds by which its check began after the first check of the round, half of the rounds. Null: it was always alone.',
      example: 3,
    }),
  },
  {
    about: `Its work in the newest rounds: at most ${recentRoundCount} of the last hour, of the whole installation.`,
    readOnly: true,
    computed: true,
    embedOnly: true,
    column: () => sql`null::jsonb`,
    attached: readRecentRounds,
    example: { rounds: 998, agreement: 0.998, lag: 3 },
  },
)
