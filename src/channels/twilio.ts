import { membersOf } from './answer-members.ts'
import { secret, text } from './fields.ts'
import { basicAuthorization, type IntegrationRequest, type Meaning } from './integration.ts'

export const twilioPlace = 'https://api.twilio.com'

const accountPattern = '^AC[0-9a-fA-F]{32}$'

/** The account fields that both Twilio channels share. */
export const accountFields = {
  account_sid: text(
    {
      en: { label: 'Account SID', description: 'The Twilio console shows it.' },
      pl: { label: 'Account SID', description: 'Pokazuje go konsola Twilio.' },
    },
    {
      pattern: accountPattern,
      expected: {
        en: 'Expected AC and 32 hexadecimal digits.',
        pl: 'Oczekiwane jest AC i 32 cyfry szesnastkowe.',
      },
    },
  ),
  auth_token: secret({
    en: { label: 'Auth token', description: 'The Twilio console shows it.' },
    pl: { label: 'Auth token', description: 'Pokazuje go konsola Twilio.' },
  }),
}

interface Account {
  readonly account_sid: string
  readonly auth_token: string
}

/** https://www.twilio.com/docs/usage/requests-to-twilio */
export function twilioRequest(
  { account_sid: sid, auth_token: token }: Account,
  resource: 'Messages' | 'Calls',
  form: Readonly<Record<string, string>>,
): IntegrationRequest {
  return {
    url: `${twilioPlace}/2010-04-01/Accounts/${sid}/${resource}.json`,
    headers: basicAuthorization(sid, token),
    form,
  }
}

/** Error codes of numbers that no retry would reach: not valid, not mobile, unsubscribed, not routed. */
const hopeless: readonly unknown[] = [21211, 21214, 21217, 21610, 21612, 21614]

export function saidByTwilio({ text: answer }: { readonly text: string }): Meaning {
  const { code, message } = membersOf(answer)
  return {
    ...(typeof message === 'string' ? { said: `${message} (${code})` } : {}),
    ...(hopeless.includes(code) ? { permanent: true } : {}),
  }
}

/** `twilio://sid:token@from/to`, as Apprise writes it. `method`: the way to the telephone. */
export function pastedAccount(
  { protocol, username, password, hostname, pathname, searchParams }: URL,
  method: 'sms' | 'call',
): (Account & { readonly from: string; readonly to: string }) | null {
  const given = searchParams.get('method') ?? 'sms'
  const to = decodeURIComponent(pathname).replace(/^\/|\/$/g, '')
  if (protocol !== 'twilio:' || !method.startsWith(given) || !new RegExp(accountPattern).test(username)) return null
  const [from, receiver] = [decodeURIComponent(hostname), to].map((number) => number.replace(/^\+?(?=\d{7,15}$)/, '+'))
  if (from === undefined || receiver === undefined || !/^\+\d+$/.test(receiver) || password === '') return null
  return { account_sid: username, auth_token: decodeURIComponent(password), from, to: receiver }
}
