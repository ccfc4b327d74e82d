/**
 * The stage of a check in which a failure shows. `sensor` is our own fault: such a check is `unknown` and says nothing
 * about the target.
 */
export const failureStages = [
  'name',
  'address',
  'connect',
  'tls',
  'certificate',
  'http',
  'content',
  'dns',
  'ping',
  'smtp',
  'protocol',
  'page',
  'heartbeat',
  'domain',
  'sensor',
] as const
export type FailureStage = (typeof failureStages)[number]

interface ErrorTypeShape {
  /** Never changes, because history rows refer to it. The id of a removed entry is never used again. */
  readonly id: number
  readonly symbol: string
  readonly stage: FailureStage
  /** One of our timers decides this failure, so a stalled process can cause it (probing, truth guard). */
  readonly timed?: true
}

/**
 * Every failure that the checks can distinguish (specification: Error type). The thousands digit is the stage's group.
 */
export const errorTypes = [
  { id: 1001, symbol: 'name_not_found', stage: 'name' },
  { id: 1002, symbol: 'name_without_address', stage: 'name' },
  { id: 1003, symbol: 'name_without_ipv6_address', stage: 'name' },
  { id: 1004, symbol: 'name_server_failure', stage: 'name' },
  // Kept for older analyses; new ones use `sensor_resolver_refused`.
  { id: 1005, symbol: 'name_refused', stage: 'name' },
  { id: 1006, symbol: 'name_timeout', stage: 'name', timed: true },
  { id: 1101, symbol: 'address_invalid', stage: 'address' },
  // For addresses that a public site leads to; the site's own address is `sensor_address_refused`.
  { id: 1102, symbol: 'address_refused', stage: 'address' },
  { id: 1103, symbol: 'address_not_ipv6', stage: 'address' },

  { id: 2001, symbol: 'connection_refused', stage: 'connect' },
  { id: 2002, symbol: 'connection_timeout', stage: 'connect', timed: true },
  { id: 2003, symbol: 'host_unreachable', stage: 'connect' },
  { id: 2004, symbol: 'connection_reset', stage: 'connect' },
  { id: 2005, symbol: 'connection_failed', stage: 'connect' },
  { id: 2006, symbol: 'udp_no_answer', stage: 'connect', timed: true },

  { id: 3001, symbol: 'tls_timeout', stage: 'tls', timed: true },
  { id: 3002, symbol: 'tls_not_spoken', stage: 'tls' },
  { id: 3003, symbol: 'tls_protocol_version', stage: 'tls' },
  { id: 3004, symbol: 'tls_handshake_refused', stage: 'tls' },
  { id: 3005, symbol: 'tls_client_certificate_required', stage: 'tls' },
  { id: 3006, symbol: 'tls_name_unknown', stage: 'tls' },
  { id: 3007, symbol: 'tls_closed', stage: 'tls' },
  { id: 3008, symbol: 'tls_failed', stage: 'tls' },
  { id: 3011, symbol: 'tls_client_certificate_refused', stage: 'tls' },
  { id: 3101, symbol: 'certificate_expired', stage: 'certificate' },
  { id: 3102, symbol: 'certificate_not_yet_valid', stage: 'certificate' },
  { id: 3103, symbol: 'certificate_wrong_host', stage: 'certificate' },
  { id: 3104, symbol: 'certificate_self_signed', stage: 'certificate' },
  { id: 3105, symbol: 'certificate_intermediate_missing', stage: 'certificate' },
  { id: 3106, symbol: 'certificate_issuer_unknown', stage: 'certificate' },
  { id: 3107, symbol: 'certificate_revoked', stage: 'certificate' },
  { id: 3108, symbol: 'certificate_invalid', stage: 'certificate' },
  { id: 3109, symbol: 'certificate_expires_soon', stage: 'certificate' },

  { id: 4001, symbol: 'http_not_spoken', stage: 'http' },
  { id: 4002, symbol: 'http_closed_before_response', stage: 'http' },
  { id: 4003, symbol: 'http_reset_before_response', stage: 'http' },
  { id: 4004, symbol: 'http_headers_incomplete', stage: 'http' },
  { id: 4005, symbol: 'http_headers_too_large', stage: 'http' },
  { id: 4006, symbol: 'http_invalid_header', stage: 'http' },
  { id: 4007, symbol: 'http_invalid_content_length', stage: 'http' },
  { id: 4008, symbol: 'http_invalid_response', stage: 'http' },
  { id: 4009, symbol: 'http_informational_flood', stage: 'http' },
  { id: 4010, symbol: 'http_unexpected_upgrade', stage: 'http' },
  { id: 4011, symbol: 'http2_failed', stage: 'http' },
  { id: 4101, symbol: 'http_send_timeout', stage: 'http', timed: true },
  { id: 4102, symbol: 'http_first_byte_timeout', stage: 'http', timed: true },
  { id: 4103, symbol: 'http_headers_timeout', stage: 'http', timed: true },
  { id: 4104, symbol: 'http_body_timeout', stage: 'http', timed: true },
  { id: 4201, symbol: 'http_body_truncated', stage: 'http' },
  { id: 4202, symbol: 'http_body_reset', stage: 'http' },
  { id: 4203, symbol: 'http_chunk_invalid', stage: 'http' },
  { id: 4204, symbol: 'http_decoding_failed', stage: 'http' },
  { id: 4301, symbol: 'http_status_not_accepted', stage: 'http' },
  { id: 4302, symbol: 'http_client_error', stage: 'http' },
  { id: 4303, symbol: 'http_server_error', stage: 'http' },
  { id: 4311, symbol: 'http_redirect_loop', stage: 'http' },
  { id: 4312, symbol: 'http_too_many_redirects', stage: 'http' },
  { id: 4313, symbol: 'http_redirect_invalid', stage: 'http' },
  { id: 4321, symbol: 'token_endpoint_failed', stage: 'http' },
  { id: 4322, symbol: 'token_endpoint_timeout', stage: 'http', timed: true },
  { id: 4323, symbol: 'token_refused', stage: 'http' },
  { id: 4324, symbol: 'token_answer_invalid', stage: 'http' },
  { id: 4401, symbol: 'content_missing', stage: 'content' },
  { id: 4402, symbol: 'content_forbidden', stage: 'content' },
  { id: 4403, symbol: 'response_too_slow', stage: 'content', timed: true },
  { id: 4451, symbol: 'assertion_failed', stage: 'content' },
  { id: 4452, symbol: 'assertion_value_missing', stage: 'content' },
  { id: 4453, symbol: 'body_not_json', stage: 'content' },
  { id: 4454, symbol: 'body_not_xml', stage: 'content' },

  { id: 5001, symbol: 'dns_timeout', stage: 'dns', timed: true },
  { id: 5002, symbol: 'dns_port_closed', stage: 'dns' },
  { id: 5003, symbol: 'dns_mismatch', stage: 'dns' },
  { id: 5004, symbol: 'dns_malformed', stage: 'dns' },
  { id: 5005, symbol: 'dns_closed', stage: 'dns' },
  { id: 5101, symbol: 'dns_name_not_found', stage: 'dns' },
  { id: 5102, symbol: 'dns_server_failure', stage: 'dns' },
  { id: 5103, symbol: 'dns_refused', stage: 'dns' },
  { id: 5104, symbol: 'dns_unexpected_rcode', stage: 'dns' },
  { id: 5105, symbol: 'dns_no_answer', stage: 'dns' },
  { id: 5106, symbol: 'dns_unexpected_answer', stage: 'dns' },

  { id: 6001, symbol: 'ping_no_reply', stage: 'ping', timed: true },
  { id: 6002, symbol: 'ping_unreachable', stage: 'ping' },

  { id: 7001, symbol: 'smtp_banner_timeout', stage: 'smtp', timed: true },
  { id: 7002, symbol: 'smtp_not_spoken', stage: 'smtp' },
  { id: 7003, symbol: 'smtp_refused', stage: 'smtp' },
  { id: 7004, symbol: 'smtp_helo_refused', stage: 'smtp' },
  { id: 7005, symbol: 'smtp_starttls_missing', stage: 'smtp' },
  { id: 7006, symbol: 'smtp_starttls_refused', stage: 'smtp' },
  { id: 7007, symbol: 'smtp_closed', stage: 'smtp' },
  { id: 7008, symbol: 'smtp_reply_timeout', stage: 'smtp', timed: true },

  { id: 7101, symbol: 'protocol_answer_timeout', stage: 'protocol', timed: true },
  { id: 7102, symbol: 'protocol_not_spoken', stage: 'protocol' },
  { id: 7103, symbol: 'protocol_closed', stage: 'protocol' },
  { id: 7104, symbol: 'protocol_refused', stage: 'protocol' },
  { id: 7105, symbol: 'protocol_answer_too_large', stage: 'protocol' },
  { id: 7106, symbol: 'starttls_missing', stage: 'protocol' },
  { id: 7107, symbol: 'starttls_refused', stage: 'protocol' },
  { id: 7108, symbol: 'login_refused', stage: 'protocol' },
  { id: 7109, symbol: 'login_required', stage: 'protocol' },
  { id: 7110, symbol: 'login_unsafe', stage: 'protocol' },
  { id: 7111, symbol: 'login_method_unknown', stage: 'protocol' },
  { id: 7112, symbol: 'query_refused', stage: 'protocol' },
  { id: 7113, symbol: 'value_missing', stage: 'protocol' },
  { id: 7114, symbol: 'value_differs', stage: 'protocol' },
  { id: 7115, symbol: 'message_missing', stage: 'protocol', timed: true },
  { id: 7116, symbol: 'websocket_refused', stage: 'protocol' },
  { id: 7117, symbol: 'server_clock_off', stage: 'protocol' },
  { id: 7118, symbol: 'server_clock_unsynchronised', stage: 'protocol' },
  { id: 7119, symbol: 'not_serving', stage: 'protocol' },
  { id: 7120, symbol: 'host_key_differs', stage: 'protocol' },

  { id: 8001, symbol: 'page_timeout', stage: 'page', timed: true },
  { id: 8002, symbol: 'page_navigation_failed', stage: 'page' },
  { id: 8003, symbol: 'page_crashed', stage: 'page' },
  { id: 8004, symbol: 'page_unresponsive', stage: 'page', timed: true },
  { id: 8005, symbol: 'page_navigation_loop', stage: 'page' },
  { id: 8006, symbol: 'page_dialog_loop', stage: 'page' },
  { id: 8007, symbol: 'page_is_download', stage: 'page' },
  { id: 8008, symbol: 'page_too_large', stage: 'page' },
  { id: 8009, symbol: 'page_too_many_requests', stage: 'page' },
  { id: 8010, symbol: 'page_resource_failed', stage: 'page' },
  { id: 8101, symbol: 'scenario_element_missing', stage: 'page', timed: true },
  { id: 8102, symbol: 'scenario_step_timeout', stage: 'page', timed: true },
  { id: 8103, symbol: 'scenario_step_failed', stage: 'page' },
  { id: 8104, symbol: 'scenario_navigation_missing', stage: 'page', timed: true },
  { id: 8105, symbol: 'scenario_url_differs', stage: 'page', timed: true },
  { id: 8106, symbol: 'scenario_title_differs', stage: 'page', timed: true },
  { id: 8107, symbol: 'scenario_target_missing', stage: 'page', timed: true },
  { id: 8108, symbol: 'scenario_timeout', stage: 'page', timed: true },
  { id: 8201, symbol: 'heartbeat_late', stage: 'heartbeat' },
  { id: 8202, symbol: 'heartbeat_failed', stage: 'heartbeat' },
  { id: 8203, symbol: 'heartbeat_overrun', stage: 'heartbeat' },
  { id: 8301, symbol: 'domain_expired', stage: 'domain' },
  { id: 8302, symbol: 'domain_missing', stage: 'domain' },
  { id: 8303, symbol: 'domain_in_deletion', stage: 'domain' },
  { id: 8304, symbol: 'domain_on_hold', stage: 'domain' },
  { id: 8305, symbol: 'domain_name_servers_differ', stage: 'domain' },
  { id: 8306, symbol: 'domain_registrar_differs', stage: 'domain' },
  { id: 8307, symbol: 'domain_not_signed', stage: 'domain' },

  { id: 9001, symbol: 'sensor_lost', stage: 'sensor' },
  { id: 9002, symbol: 'sensor_late', stage: 'sensor' },
  { id: 9003, symbol: 'sensor_held', stage: 'sensor' },
  { id: 9004, symbol: 'sensor_out_of_sockets', stage: 'sensor' },
  { id: 9005, symbol: 'sensor_without_resolver', stage: 'sensor' },
  { id: 9006, symbol: 'sensor_without_network', stage: 'sensor' },
  { id: 9007, symbol: 'sensor_not_permitted', stage: 'sensor' },
  { id: 9008, symbol: 'sensor_cannot_ping', stage: 'sensor' },
  { id: 9009, symbol: 'sensor_fault', stage: 'sensor' },
  { id: 9010, symbol: 'type_not_supported', stage: 'sensor' },
  { id: 9011, symbol: 'setting_invalid', stage: 'sensor' },
  { id: 9012, symbol: 'browser_missing', stage: 'sensor' },
  { id: 9013, symbol: 'browser_failed', stage: 'sensor' },
  { id: 9014, symbol: 'browser_busy', stage: 'sensor' },
  { id: 9015, symbol: 'sensor_address_refused', stage: 'sensor' },
  { id: 9016, symbol: 'sensor_resolver_refused', stage: 'sensor' },
  { id: 9017, symbol: 'sensor_clock_off', stage: 'sensor' },
  { id: 9018, symbol: 'pattern_late', stage: 'sensor' },
  { id: 9019, symbol: 'pattern_budget_used', stage: 'sensor' },
  { id: 9020, symbol: 'browser_not_isolated', stage: 'sensor' },
  { id: 9021, symbol: 'sensor_redirect_refused', stage: 'sensor' },
  { id: 9031, symbol: 'heartbeat_awaited', stage: 'sensor' },
  { id: 9041, symbol: 'assertion_not_evaluated', stage: 'sensor' },
  { id: 9051, symbol: 'registry_unknown', stage: 'sensor' },
  { id: 9052, symbol: 'registry_silent', stage: 'sensor' },
  { id: 9053, symbol: 'registry_refused', stage: 'sensor' },
  { id: 9054, symbol: 'registry_answer_invalid', stage: 'sensor' },
] as const satisfies readonly ErrorTypeShape[]

export type ErrorTypeSymbol = (typeof errorTypes)[number]['symbol']

/** An entry of the catalogue. */
export interface ErrorType extends ErrorTypeShape {
  readonly symbol: ErrorTypeSymbol
}

const byId = new Map<number, ErrorType>(errorTypes.map((type) => [type.id, type]))
const bySymbol = new Map<string, ErrorType>(errorTypes.map((type) => [type.symbol, type]))

/** The entry with this id; null if the id was never used (specification: Error type). */
export function errorTypeById(id: number): ErrorType | null {
  return byId.get(id) ?? null
}

/** The entry of a symbol. It always exists, because the compiler knows every symbol. */
export function errorType(symbol: ErrorTypeSymbol): ErrorType {
  return bySymbol.get(symbol) ?? errorTypes[0]
}

/** A sensor's own fault makes the check `unknown`; every other failure is the target's `error` (answers §8). */
export function resultOfFailure(symbol: ErrorTypeSymbol): 'error' | 'unknown' {
  return errorType(symbol).stage === 'sensor' ? 'unknown' : 'error'
}
