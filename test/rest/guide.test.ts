import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { languageIds } from '../../src/domain/dictionaries.ts'
import { exampleBaseUrl, guideIn } from '../../src/rest/guide.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'

/** Everything that the description's guide names exists, and its examples work when they are pasted. */
let api: ApiWorld

beforeAll(async () => {
  api = await apiWorld()
})
afterAll(() => api.drop())

const chapters = {
  en: ['First steps', 'Every day', 'Logging in', 'Reading lists', 'Writing', 'Errors', 'Limits'],
  pl: ['Pierwsze kroki', 'Na co dzień', 'Logowanie', 'Czytanie list', 'Zapisywanie', 'Błędy', 'Ograniczenia'],
}

/** Words in backquotes are for programs, and the same in every language. */
function codes(guide: string): readonly string[] {
  const inSentences = guide.replaceAll(/```.*?```/gs, '')
  return [...inSentences.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code).toSorted()
}

test('it names the same in every language, and its reader which one that is', () => {
  expect(codes(guideIn('pl'))).toEqual(codes(guideIn('en')))
  expect(guideIn('pl')).toMatch(/^<div lang="pl">\n\n.*\n\n<\/div>$/s)
})

test('its reader gets it in the language that the browser prefers', async () => {
  for (const language of languageIds) {
    const reply = await api.call(null, 'GET', '/public/swagger.json', undefined, { 'accept-language': language })
    expect(reply.headers['vary']).toMatch(/accept-language/i)
    expect((reply.body as { info: { description: string } }).info.description).toBe(
      guideIn(language).replace(exampleBaseUrl, 'http://api.test/v3'),
    )
  }
})

describe.each(languageIds)('the guide in %s', (language) => {
  const guide = guideIn(language)

  test.each(chapters[language])('has the chapter %s', (title) => {
    expect(guide).toMatch(new RegExp(`(## |<summary>)${title}(\n|</summary>)`))
  })

  const example = /-d '([^']+)'/.exec(guide)?.[1]

  test('the first service is made as it says', async () => {
    expect(await api.call('alice', 'POST', '/services', example)).toMatchObject({ status: 201 })
  })

  test('what it tells to do every day can be sent as it stands, one after another', async () => {
    const { id: serviceId } = (await api.call('alice', 'POST', '/services', example)).answer
    const { id: accountId } = (await api.call('bob', 'GET', '/accounts/my_account')).answer
    const told = [...guide.matchAll(/`(POST|PUT) ([^`]+)` `(\{[^`]+\})`/g)]
    expect(told.map(([, , path]) => path)).toContain('/corrections')
    let templateId = 0
    for (const [, method = '', path = '', text = ''] of told) {
      const known = { service_id: serviceId, template_id: templateId }
      const body = JSON.parse(text, (key, value) => (key in known ? known[key as keyof typeof known] : value))
      const place = path.replace('{_id}', 'my_default_group').replace('{_account_id}', String(accountId))
      const reply = await api.call('alice', method === 'PUT' ? 'PUT' : 'POST', place, body)
      expect([path, reply.status, reply.text]).toEqual([path, method === 'PUT' ? 204 : 201, expect.any(String)])
      if (path === '/report_templates') templateId = (reply.body as { id: number }).id
    }
  })

  /** Examples of the table of lists: `type_id=http&type_id=https`. */
  const queries = [...guide.matchAll(/`([\w.]+~?=[^`]+)`/g)].map(([, query = '']) => query)

  test.each(queries.filter((query) => !query.startsWith('from')))('services are listed with %s', async (query) => {
    expect(await api.call('alice', 'GET', `/services?${query}`)).toMatchObject({ status: 200 })
  })

  test('the history takes a range, and a search its filters', async () => {
    const made = await api.call('alice', 'POST', '/services', {
      type_id: 'http',
      name: 'Sklep',
      address: 'shop.example.com',
    })
    const { id } = made.answer
    const range = queries.find((query) => query.startsWith('from'))
    expect(await api.call('alice', 'GET', `/services/${id}/history/analyses?${range}`)).toMatchObject({ status: 200 })
    const search = /`(\{"filters".*?\})`/.exec(guide)?.[1]
    expect(await api.call('alice', 'POST', '/services/search', search)).toMatchObject({ status: 200 })
  })

  test.each([...guide.matchAll(/`(?:GET|POST) (\/[a-z_/]+)`/g)].map(([, path = '']) => path))(
    '%s is there',
    async (path) => {
      expect((await api.call('alice', 'OPTIONS', path)).status).toBe(204)
    },
  )
})
