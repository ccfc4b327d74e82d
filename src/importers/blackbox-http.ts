import { escapedText } from '../domain/text/escaped-bytes.ts'
import { type Asked, ofProtocol, shortTalk, type Target, tellLeftOut, tlsOf } from './blackbox-parts.ts'
import type { Item } from './draft.ts'
import type { Members } from './drawn.ts'
import { type Row, rowOf, textsOf } from './row.ts'
import {
  basicLogin,
  everyStatus,
  type HeaderLine,
  headerSettings,
  type Login,
  readTarget,
  statusRanges,
} from './web.ts'
import { joined } from './written.ts'

/** Modules of blackbox_exporter that speak HTTP or WebSocket: requests, logins, and what an answer must be like. */

type Comparison = 'matches' | 'not_matches' | 'exists'

function bodyAssertions(list: readonly string[], comparison: Comparison): readonly Members[] {
  return list.map((value) => ({ source: 'body', comparison, value }))
}

/** A header that is missing fails there, unless the rule says otherwise. */
function headerAssertions(item: Item, http: Row): readonly Members[] {
  const at = (one: Row, comparison: Comparison) => ({ source: 'header', path: one.text('header'), comparison })
  const wanted = http.rows('fail_if_header_not_matches').flatMap((one) => {
    if (!one.flag('allow_missing')) return [{ ...at(one, 'matches'), value: one.text('regexp') }]
    item.change(`The pattern of the header ${one.text('header')} is left out: none holds where the header is missing.`)
    return []
  })
  const unwanted = http
    .rows('fail_if_header_matches')
    .flatMap((one) => [
      { ...at(one, 'not_matches'), value: one.text('regexp') },
      ...(one.flag('allow_missing') ? [] : [at(one, 'exists')]),
    ])
  return [...wanted, ...unwanted]
}

function assertionsOf(item: Item, http: Row): readonly Members[] {
  for (const member of ['fail_if_body_json_matches_cel', 'fail_if_body_json_not_matches_cel']) {
    if (http.has(member)) item.change(`${member} is left out: no assertion means the same.`)
  }
  return [
    ...bodyAssertions(http.texts('fail_if_body_not_matches_regexp'), 'matches'),
    ...bodyAssertions(http.texts('fail_if_body_matches_regexp'), 'not_matches'),
    ...headerAssertions(item, http),
  ]
}

const ofSecretFiles = ['password_file', 'bearer_token_file', 'credentials_file', 'client_secret_file']

function loginOf({ draft, item, module }: Asked, http: Row): Members & Pick<Login, 'bearer_token'> {
  const name = `${module} request`
  const [basic, authorization, oauth] = [http.row('basic_auth'), http.row('authorization'), http.row('oauth2')]
  if (ofSecretFiles.some((file) => [http, basic, authorization, oauth].some((row) => row.has(file))))
    item.change('The secret stands in a file there: set its variable.')
  const bearer = http.text('bearer_token') ?? authorization.text('credentials')
  const hasToken = bearer !== null || http.has('bearer_token_file') || authorization.has('credentials_file')
  if (hasToken && isBearer(authorization)) return { bearer_token: draft.secret(`${name} bearer token`, bearer) }
  if (oauth.has('token_url')) {
    const login = {
      oauth_token_url: oauth.text('token_url'),
      oauth_client_id: draft.secret(`${name} oauth client id`, oauth.text('client_id')),
      oauth_client_secret: draft.secret(`${name} oauth client secret`, oauth.text('client_secret')),
      oauth_scope: oauth.texts('scopes').join(' ') || null,
    }
    tellLeftOut(item, oauth, 'oauth2')
    return login
  }
  const [username, password] = [basic.text('username'), basic.text('password')]
  tellLeftOut(item, basic, 'basic_auth')
  if (basic.has('password_file')) return { username, password: draft.secret(`${name} password`, null) }
  return basicLogin(draft, name, username, password)
}

function isBearer(authorization: Row): boolean {
  return (authorization.text('type') ?? 'Bearer').toLowerCase() === 'bearer'
}

/** The headers of the module. A login of another kind than `Bearer` is a header, too. */
function headersOf({ draft, item, module }: Asked, http: Row): readonly HeaderLine[] {
  const plain = textsOf(http.row('headers'))
  const listed = Object.entries(http.row('http_headers').members).flatMap(([header, given]): readonly HeaderLine[] => {
    const values = rowOf(given)
    const secret = (value: string | null) => [header, draft.secret(`${module} request ${header}`, value)] as const
    const files = values.texts('files')
    if (files.length > 0) item.change(`The header ${header} stands in a file there: set its variable.`)
    return [
      ...values.texts('values').map((value) => [header, value] as const),
      ...values.texts('secrets').map(secret),
      ...files.map(() => secret(null)),
    ]
  })
  const authorization = http.row('authorization')
  if (isBearer(authorization)) return [...plain, ...listed]
  const [kind, credentials] = [authorization.text('type') ?? '', authorization.text('credentials')]
  if (credentials === null) item.change(`The variable of its login is the whole header: ${kind} and the secret.`)
  const login = draft.secret(`${module} request login`, credentials === null ? null : `${kind} ${credentials}`)
  return [...plain, ...listed, ['Authorization', login]]
}

const ofProxies = [
  ...['proxy_url', 'proxy_from_environment', 'proxy_connect_header', 'no_proxy'],
  'skip_resolve_phase_with_proxy',
]

/** Tells of the connection; it needs no setting. */
function tellConnection(item: Item, http: Row): void {
  const proxies = ofProxies.filter((name) => http.has(name))
  if (proxies.length > 0) item.change('It is checked without the proxy.')
  // The usual value.
  http.flag('enable_http2')
}

function tellScheme(item: Item, http: Row, scheme: string): void {
  const [noTls, onlyTls] = [http.flag('fail_if_ssl'), http.flag('fail_if_not_ssl')]
  if (scheme === 'http' && onlyTls) item.change('Left out: fail_if_not_ssl.')
  if (scheme === 'https' && noTls) item.change('Left out: fail_if_ssl.')
}

export function httpTarget(asked: Asked): Target | string {
  const { draft, item, section: http, target } = asked
  const read = readTarget(target) ?? readTarget(`http://${target}`)
  if (read === null || !/^https?$/.test(read.scheme)) return 'Its address is no http or https.'
  tellConnection(item, http)
  tellScheme(item, http, read.scheme)
  const [codes, takesAll] = [http.texts('valid_status_codes').map(Number), http.flag('accept_any_response')]
  const assertions = assertionsOf(item, http)
  const [follows, stops] = [http.flag('follow_redirects', true), http.flag('no_follow_redirects')]
  return {
    type_id: ofProtocol(asked, read.scheme),
    address: read.address,
    extended_settings: {
      http_method: http.text('method')?.toUpperCase(),
      content: http.text('body'),
      ...basicLogin(draft, `${item.name} request`, read.username, read.password),
      ...loginOf(asked, http),
      ...headerSettings(draft, `${asked.module} request`, headersOf(asked, http)),
      accepted_statuses: statusRanges(new Set(takesAll ? everyStatus : codes)),
      ...(follows && !stops ? {} : { follow_redirects: false }),
      ...tlsOf(item, http.row('tls_config')),
      ...(assertions.length === 0 ? {} : { assertions }),
    },
  }
}

export function webSocketTarget(asked: Asked): Target | string {
  const { draft, item, module, section, target } = asked
  const read = readTarget(target)
  if (read === null || !/^wss?$/.test(read.scheme)) return 'Its address is no ws or wss.'
  const http = section.row('http_config')
  tellConnection(item, http)
  const { bearer_token: token, ...login } = loginOf(asked, http)
  const bearer: readonly HeaderLine[] = token === undefined ? [] : [['Authorization', joined(['Bearer ', token])]]
  const short = shortTalk(section.rows('query_response'))
  const sent = short?.sent ?? null
  if (short === null) item.change('Its conversation is left out: that WebSocket is spoken is enough.')
  const settings = {
    ...basicLogin(draft, `${item.name} request`, read.username, read.password),
    ...login,
    ...headerSettings(draft, `${module} request`, [...headersOf(asked, http), ...bearer]),
    ...tlsOf(item, http.row('tls_config')),
    text_to_send: sent === null ? null : escapedText(sent),
    expected_answer_regex: short?.expected ?? null,
  }
  tellLeftOut(item, http, 'http_config')
  const typeId = read.scheme === 'wss' ? 'websocket_tls' : 'websocket'
  return { type_id: ofProtocol(asked, typeId), address: read.address, extended_settings: settings }
}
