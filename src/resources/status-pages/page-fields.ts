import sql from 'sql-template-tag'
import { timeZoneIds } from '../../domain/calendars/time-zones.ts'
import { languageIds } from '../../domain/dictionaries.ts'
import { pageAccesses, slugPattern } from '../../domain/status-pages/status-page.ts'
import { setSecretsField } from '../../rest/configuration.ts'
import { boolean, identifier, integer, list, moment, object, text } from '../../rest/fields.ts'
import { nameField, ownerField } from '../on-call/references.ts'
import { hostFields } from './page-hosts.ts'
import { ofServer } from './page-parts.ts'
import { type PageTheme, plainTheme } from './page-theme.ts'

/** The fields of a status page. */
export const pageFields = {
  id: identifier(),
  owner_id: ownerField,
  slug: text({
    about: 'The end of its address, `/status/{slug}`; unique in the installation.',
    required: true,
    unique: true,
    pattern: slugPattern,
    detail: 'slug',
    maximumLength: 60,
    filter: true,
    sort: true,
    example: 'shop',
  }),
  title: { ...nameField, example: 'Shop status' },
  description: text({
    about: 'Plain text below the title.',
    multiline: true,
    maximumLength: 2000,
    example: 'The state of our shop and its API.',
  }),
  language_id: text({
    about: "The language of its words. Default: the owner's.",
    oneOf: languageIds,
    filter: true,
    example: 'en',
  }),
  time_zone_id: text({
    about: "The time zone of its days and moments. Default: the owner's.",
    oneOf: timeZoneIds,
    filter: true,
    example: 'europe_warsaw',
  }),
  theme: object(
    {
      accent: text({
        about: 'The color of links and marks. A color that is hard to read is made darker or lighter until it is not.',
        nullable: true,
        pattern: /^#[0-9a-f]{6}$/i,
        detail: 'color',
      }),
      logo_artifact: text({
        about: 'The `id` of `POST /status_page_logos`: the picture above the title.',
        nullable: true,
        maximumLength: 100,
      }),
      logo_dark_artifact: text({
        about: 'The picture for visitors with a dark screen; null: the same.',
        nullable: true,
        maximumLength: 100,
      }),
      logo_alt: text({ about: 'The text of the picture; empty: nothing but the title.', maximumLength: 200 }),
    },
    {
      about: 'Its look.',
      example: { ...plainTheme, accent: '#1f6feb' },
      shown: (theme) => ({ ...plainTheme, ...(theme as PageTheme) }),
    },
  ),
  ...hostFields,
  access: text({
    about:
      'The visitors who may see it: everybody, those who know its password, those who have its secret link, those whose IP address is among `allowed_addresses`, or those who are logged in to an account of the owner.',
    oneOf: pageAccesses,
    filter: true,
    example: 'public',
  }),
  password: text({
    about: 'For access by password; a new one ends every visit with the old one.',
    writeOnly: true,
    elsewhere: true,
    minimumLength: 8,
    maximumLength: 256,
    multiline: true,
    untypical: true,
  }),
  set_secrets: setSecretsField(
    ({ alias }) => sql`case when ${alias}.password_hash is null then '{}'::text[] else '{password}'::text[] end`,
    { needs: [], secretsOf: () => ['password'] },
  ),
  allowed_addresses: list(text({ maximumLength: 50 }), {
    about: 'IP addresses or CIDR ranges, for access by address.',
    maximumLength: 200,
    example: ['192.0.2.0/24'],
  }),
  is_indexed: boolean({
    about: 'Whether search engines may list it; never a page that is not public.',
    example: true,
  }),
  publish_after_seconds: integer({
    about: 'A failure or a recovery appears on the page once it has lasted this long, so that short ones do not.',
    minimum: 0,
    maximum: 86_400,
    example: 180,
  }),
  auto_publish: boolean({
    about: 'Whether failures publish their incidents by themselves. Otherwise they open drafts.',
    example: false,
  }),
  shows_suspensions: boolean({
    about: 'Whether one-off suspensions of its services appear as maintenance.',
    example: false,
  }),
  shows_weekly_suspensions: boolean({
    about: 'Whether weekly suspensions of its services appear as maintenance, for the four weeks to come.',
    example: false,
  }),
  created_at: moment(ofServer),
  updated_at: moment({ ...ofServer, about: 'When the page or a part of it was last changed.' }),
}
