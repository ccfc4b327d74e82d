import type { ErrorTypeText, ErrorTypeTexts } from '../error-type-text.ts'

function text(name: string, description: string, diagnosis: string): ErrorTypeText {
  return { name, description, diagnosis }
}

export const errorTypesEn: ErrorTypeTexts = {
  name_not_found: text(
    'Host name does not exist',
    'The domain name system knows no such name (NXDOMAIN).',
    'The name is misspelt, its record was removed, or the domain has expired. Check the address of the service, then the domain’s registration and its DNS zone.',
  ),
  name_without_address: text(
    'Host name has no address',
    'The name exists, but it has neither an IPv4 nor an IPv6 address.',
    'An A or AAAA record is missing in the DNS zone. Add it, or correct the name in the service’s address.',
  ),
  name_without_ipv6_address: text(
    'Host name has no IPv6 address',
    'This service is checked over IPv6 only, and the name has no AAAA record.',
    'Add an AAAA record to the DNS zone, or use the service type without IPv6.',
  ),
  name_server_failure: text(
    'DNS cannot answer for the name',
    'The name servers of the domain do not give a usable answer (SERVFAIL).',
    'The domain’s name servers are down, its delegation points at the wrong servers, or its DNSSEC signatures are broken or expired. Ask whoever runs the DNS zone.',
  ),
  name_refused: text(
    'DNS refuses to answer for the name',
    'The name server refused the question (REFUSED).',
    'The domain is delegated to servers that do not serve it, or the question is blocked on the way. Check the delegation of the domain.',
  ),
  name_timeout: text(
    'DNS does not answer for the name',
    'No answer about this name came in time, although other names are answered.',
    'The name servers of this domain are overloaded or unreachable. Check them and the network between them and the world.',
  ),
  address_invalid: text(
    'Address cannot be understood',
    'The address of the service is not a valid host, port or web address.',
    'Correct the service’s address: host names have letters, digits, dots and hyphens, ports are numbers from 1 to 65535.',
  ),
  address_refused: text(
    'Leads to an address that is not public',
    'The site is on the internet, but it sends its visitors to a private, local or reserved address.',
    'Nobody on the internet can reach such an address. Correct the redirect, the link of the page or the DNS record that it leads to.',
  ),
  address_not_ipv6: text(
    'Not an IPv6 address',
    'This service is checked over IPv6 only, but its address is an IPv4 address.',
    'Enter an IPv6 address or a host name, or use the service type without IPv6.',
  ),

  connection_refused: text(
    'Connection refused',
    'The host answers, but nothing listens on this port.',
    'The server program has stopped, listens on another port or address, or a firewall rejects the connection. See that the program runs and which port it listens on.',
  ),
  connection_timeout: text(
    'No answer to the connection',
    'The host did not answer the attempt to connect in time.',
    'The machine is switched off or overloaded, a firewall drops the packets silently, or the network on the way is broken. Compare the results of several stations to find where it breaks.',
  ),
  host_unreachable: text(
    'Host unreachable',
    'A router on the way reported that the host cannot be reached.',
    'The machine or its network is down, or its address is no longer routed. Check the host, then ask its provider.',
  ),
  connection_reset: text(
    'Connection reset',
    'The connection was broken off while it was being made.',
    'A firewall, a protection against attacks or an overloaded server ends new connections. Look into the logs of the server and of what stands before it.',
  ),
  connection_failed: text(
    'Connection failed',
    'The connection could not be made for an unusual reason, given in the message.',
    'See the technical message of the check; it is the answer of the operating system.',
  ),

  udp_no_answer: text(
    'No answer over UDP',
    'Nothing came back from the port, though the datagram was sent twice.',
    'Check that the service runs, that a firewall lets UDP through both ways, and that it answers the text that is sent.',
  ),

  tls_timeout: text(
    'TLS handshake hangs',
    'The server accepted the connection but did not finish the TLS handshake in time.',
    'The server is overloaded or its TLS part is stuck. Restart it, and see whether it has enough memory, threads and randomness.',
  ),
  tls_not_spoken: text(
    'Server does not speak TLS',
    'What the server sent is not TLS.',
    'Another protocol listens on this port: often plain HTTP where HTTPS is expected. Check the port, and the TLS settings of the server.',
  ),
  tls_protocol_version: text(
    'TLS version too old',
    'The server offers only versions of TLS that today’s browsers refuse.',
    'Enable TLS 1.2 and 1.3 on the server and switch off TLS 1.0 and 1.1.',
  ),
  tls_handshake_refused: text(
    'TLS handshake refused',
    'The server ended the handshake: there is no cipher that both sides accept, or it wants a client certificate.',
    'Check the list of ciphers and the certificates of the server, and whether it asks for client certificates.',
  ),
  tls_client_certificate_required: text(
    'Client certificate required',
    'The server talks only to clients that show a certificate.',
    'Visitors without that certificate cannot enter. If this is intended, check another address or let the stations in without it.',
  ),
  tls_name_unknown: text(
    'Server does not know this host name',
    'The server ended the handshake because it has no certificate for the requested host name.',
    'Add the host name to the server’s configuration, or correct the DNS record that leads to this server.',
  ),
  tls_closed: text(
    'Connection closed during TLS',
    'The server closed the connection in the middle of the TLS handshake.',
    'The TLS settings of the server are incomplete (no certificate, no key), or a firewall cuts TLS connections. See the server’s error log.',
  ),
  tls_client_certificate_refused: text(
    'Client certificate refused',
    'The server does not accept the client certificate of this service.',
    'Check that the certificate has not expired or been revoked, and that the server trusts its issuer. Then store the new certificate and its key in the settings.',
  ),
  tls_failed: text(
    'TLS failed',
    'The TLS handshake failed for an unusual reason, given in the message.',
    'See the technical message of the check and the error log of the server.',
  ),
  certificate_expired: text(
    'Certificate has expired',
    'The server’s certificate, or one in its chain, is past its end date.',
    'Browsers show a warning instead of the page. Renew the certificate, install it and reload the server; then see why the automatic renewal did not work.',
  ),
  certificate_not_yet_valid: text(
    'Certificate is not valid yet',
    'The start date of the server’s certificate lies in the future.',
    'Install a certificate that is valid now, and check the clock of the machine that issued it.',
  ),
  certificate_wrong_host: text(
    'Certificate is for another host',
    'The certificate is valid, but not for this host name.',
    'Issue a certificate that contains this name, or correct the server’s configuration so that it chooses the right one.',
  ),
  certificate_self_signed: text(
    'Certificate is self-signed',
    'The certificate is signed by itself, so nobody vouches for it.',
    'Install a certificate of a recognised authority. If it is meant to be so, switch off the verification of the certificate in this service.',
  ),
  certificate_intermediate_missing: text(
    'Intermediate certificate missing',
    'The server sends its own certificate without the one that connects it with a recognised authority.',
    'Configure the full chain (often a file called fullchain or bundle). Some browsers find the missing part by themselves, so the fault goes unnoticed there.',
  ),
  certificate_issuer_unknown: text(
    'Certificate authority unknown',
    'The chain of certificates ends at an authority that browsers do not know.',
    'Install a certificate of a recognised authority. For a private authority, switch off the verification of the certificate in this service or add the authority to the stations.',
  ),
  certificate_revoked: text(
    'Certificate has been revoked',
    'The authority that issued the certificate has withdrawn it.',
    'Replace the certificate at once and find out why it was revoked: its key may have leaked.',
  ),
  certificate_invalid: text(
    'Certificate is not accepted',
    'The certificate fails verification for the reason given in the message.',
    'See the technical message, and replace the certificate.',
  ),
  certificate_expires_soon: text(
    'Certificate expires soon',
    'Fewer days remain than this service demands.',
    'Everything still works. Renew the certificate before its end date and check the automatic renewal.',
  ),

  http_not_spoken: text(
    'Server does not speak HTTP',
    'What the server sent is not an HTTP response.',
    'Another protocol listens on this port: often TLS where plain HTTP is expected. Check the port and the type of the service.',
  ),
  http_closed_before_response: text(
    'Closed without a response',
    'The server took the request and closed the connection without a single byte.',
    'The program behind the server crashed or was ended, or a protection drops the request. See the logs of the application and of the web server.',
  ),
  http_reset_before_response: text(
    'Reset before the response',
    'The server broke off the connection after the request.',
    'The process crashed, ran out of memory or was killed, or a firewall cut the connection. See the server’s logs.',
  ),
  http_headers_incomplete: text(
    'Headers cut off',
    'The connection ended in the middle of the response headers.',
    'The application or the proxy before it crashed while answering. See its logs.',
  ),
  http_headers_too_large: text(
    'Headers too large',
    'The response headers are larger than any browser accepts (over 256 KB).',
    'Look for cookies or headers that grow without end.',
  ),
  http_invalid_header: text(
    'Invalid header',
    'A line of the response headers breaks the rules, for example it has no colon or a space before it.',
    'Browsers reject or misread such a response. Correct the application or module that writes this header.',
  ),
  http_invalid_content_length: text(
    'Invalid content length',
    'The response gives its length twice, as a negative number or as no number.',
    'Correct the application or proxy that writes the Content-Length header: only one of them should.',
  ),
  http_invalid_response: text(
    'Invalid response',
    'The response breaks the rules of HTTP for the reason given in the message.',
    'See the technical message, and correct the application or proxy that answers.',
  ),
  http_informational_flood: text(
    'Endless interim responses',
    'The server sends interim responses (100–199) without ever giving the real one.',
    'The application or a proxy is stuck in a loop. Restart and update it.',
  ),
  http_unexpected_upgrade: text(
    'Unasked change of protocol',
    'The server switched to another protocol (101) although nobody asked for that.',
    'The address leads to a WebSocket or another endpoint that is not a page, or a proxy is wrongly set. Check the address.',
  ),
  http2_failed: text(
    'HTTP/2 failed',
    'The server speaks HTTP/2 only, and the exchange broke off.',
    'See the technical message; update or correct the HTTP/2 part of the server or of the proxy before it.',
  ),
  http_send_timeout: text(
    'Request not taken',
    'The server did not take the whole request in time.',
    'The server or the network is overloaded, or the server does not accept contents of this size.',
  ),
  http_first_byte_timeout: text(
    'No response in time',
    'The server took the request but sent nothing in the time allowed.',
    'The application hangs or is overloaded: look at its database, its queues and the services it calls. If such a time is normal here, raise the timeout of the service.',
  ),
  http_headers_timeout: text(
    'Headers too slow',
    'The response began, but its headers did not end in time.',
    'The application or proxy sends its headers in pieces and is stuck. See its logs.',
  ),
  http_body_timeout: text(
    'Page too slow',
    'The page began to come but did not end in time.',
    'The page is too large for the line, the application stalls while producing it, or it is a stream without an end. Check the phases of the check, and raise the timeout if this is normal.',
  ),
  http_body_truncated: text(
    'Page cut off',
    'The connection closed before the whole page had come.',
    'The application crashed while writing the page, or announces a wrong length. See its logs.',
  ),
  http_body_reset: text(
    'Page broken off',
    'The connection was reset in the middle of the page.',
    'The process crashed or was killed while writing, or a proxy gave up waiting for it. See the logs.',
  ),
  http_chunk_invalid: text(
    'Page broken into bad pieces',
    'The parts in which the page is sent (chunks) are malformed.',
    'The application and the proxy both divide the page, or one of them writes errors into the stream. Correct the application or proxy.',
  ),
  http_decoding_failed: text(
    'Page cannot be decompressed',
    'The page is announced as compressed, but it cannot be decompressed.',
    'The compressed page is cut off, compressed twice, or not compressed at all. Check the compression settings of the server, the application and the cache.',
  ),
  http_status_not_accepted: text(
    'Unexpected status',
    'The response has a status that this service does not accept.',
    'See the status and the page. If it is right, add it to the accepted statuses; if it is a redirect, follow redirects.',
  ),
  http_client_error: text(
    'Page refused (status 4xx)',
    'The server answered that the request is wrong, forbidden or leads to nothing.',
    '404: the page was moved or removed. 401 or 403: credentials are missing or the stations are blocked. 429: too many requests. Correct the address, the credentials or the rules of the server.',
  ),
  http_server_error: text(
    'Server error (status 5xx)',
    'The server answered that it cannot do its work.',
    '500: the application failed, see its log. 502, 504: the proxy does not reach the application. 503: overload or maintenance.',
  ),
  http_redirect_loop: text(
    'Redirects go round in circles',
    'The redirects lead back to an address that was visited before.',
    'Two rules contradict each other, often http to https in the application and back in the proxy, or with and without www. Correct one of them.',
  ),
  http_too_many_redirects: text(
    'Too many redirects',
    'There are more redirects than this service allows.',
    'Shorten the chain of redirects, or raise the limit of the service if the chain is intended.',
  ),
  http_redirect_invalid: text(
    'Redirect leads nowhere',
    'The redirect’s target is not a valid web address.',
    'Correct the rule that makes the Location header: it must lead to an http or https address.',
  ),
  token_endpoint_failed: text(
    'Token endpoint does not work',
    'The OAuth 2.0 token endpoint could not be reached or answered with an error of its own, so the page was not asked.',
    'The message names the token endpoint and the reason. Repair it or correct its address; the monitored page itself was not tried.',
  ),
  token_endpoint_timeout: text(
    'Token endpoint does not answer',
    'The OAuth 2.0 token endpoint gave no token in time, so the page was not asked.',
    'See why the token endpoint named in the message is slow, or raise the time limit of the check.',
  ),
  token_refused: text(
    'Token refused',
    'The OAuth 2.0 token endpoint refuses the client’s id, secret or scope.',
    'The message gives the endpoint’s own reason. Correct the client id, the secret or the scopes in the settings, or the client at the endpoint.',
  ),
  token_answer_invalid: text(
    'Token answer is invalid',
    'The OAuth 2.0 token endpoint answered without a usable bearer token.',
    'Check that the address is that of the token endpoint and that it gives bearer tokens for client credentials.',
  ),
  content_missing: text(
    'Expected content missing',
    'The page came, but nothing in it matches the required pattern.',
    'The page shows something else than it should: an error message, a maintenance page or changed content. Look at the kept page; if it is right, correct the pattern.',
  ),
  content_forbidden: text(
    'Forbidden content found',
    'Something on the page matches the pattern that must not appear.',
    'The page shows an error or has been tampered with. Look at the kept page; if it is right, correct the pattern.',
  ),
  assertion_failed: text(
    'Assertion failed',
    'The response differs from a condition of this service. The message says what was expected and what came.',
    'Look at the kept response. If the response is right, correct the assertion.',
  ),
  assertion_value_missing: text(
    'Asserted value missing',
    'The response has no value at the place that an assertion names.',
    'Look at the kept response: the header, the element or the member may have another name now. If so, correct the path of the assertion.',
  ),
  body_not_json: text(
    'Body is not JSON',
    'An assertion reads JSON, but the body is something else.',
    'The server often sends an HTML error page in its place. Look at the kept response and at the logs of the application.',
  ),
  body_not_xml: text(
    'Body is not XML',
    'An assertion reads XML, but the body is not well-formed XML.',
    'The server often sends an HTML page or a truncated document in its place. Look at the kept response and at the logs of the application.',
  ),
  response_too_slow: text(
    'Response too slow',
    'The page came whole, but later than this service allows.',
    'Users wait too long. See in which phase the time is lost: name, connection, TLS, first byte or transfer.',
  ),

  dns_timeout: text(
    'Name server does not answer',
    'No answer came in time.',
    'The name server is down or overloaded, or a firewall blocks port 53. Check that it runs and that it may be reached over UDP and TCP.',
  ),
  dns_port_closed: text(
    'Name server is not running',
    'The host answers that nothing listens on this port.',
    'Start the name server, or correct the port of the service.',
  ),
  dns_mismatch: text(
    'Answer to another question',
    'Answers came, but none belongs to the question that was asked.',
    'The server is faulty, or something on the way forges answers. Do not trust its answers until this is cleared up.',
  ),
  dns_malformed: text(
    'Unreadable answer',
    'The answer breaks the rules of DNS and cannot be read.',
    'The server is faulty, or something else answers on this port. Update or restart it.',
  ),
  dns_closed: text(
    'Name server broke off',
    'The connection to the name server ended without an answer.',
    'The server limits or does not offer DNS over TCP. Check its settings and the firewall.',
  ),
  dns_name_not_found: text(
    'Name not found',
    'The name server answered that the name does not exist (NXDOMAIN).',
    'The record is missing in the zone, or the zone is not loaded. Check the zone, and whether all servers have its newest version.',
  ),
  dns_server_failure: text(
    'Name server fails',
    'The name server answered that it cannot answer (SERVFAIL).',
    'The zone could not be loaded, its signatures are broken, or the servers it asks are down. See the server’s log.',
  ),
  dns_refused: text(
    'Name server refuses',
    'The name server refused the question (REFUSED).',
    'The server does not serve this zone, or does not answer strangers. Check the zone and the access rules.',
  ),
  dns_unexpected_rcode: text(
    'Unexpected answer code',
    'The code of the answer is not the expected one.',
    'See the message for both codes. Correct the zone, or the expected code of the service.',
  ),
  dns_no_answer: text(
    'No record of this type',
    'The name exists, but it has no record of the requested type.',
    'Add the record to the zone, or correct the requested type.',
  ),
  dns_unexpected_answer: text(
    'Unexpected records',
    'The records that came do not match the expected pattern.',
    'The zone was changed, an old version is being served, or answers are forged. Compare the records in the details of the check with those you expect.',
  ),

  ping_no_reply: text(
    'No reply to ping',
    'None of the packets was answered in time.',
    'The host or its network is down, or it does not answer ping. If it works otherwise, a firewall blocks ICMP: check a port instead.',
  ),
  ping_unreachable: text(
    'Host unreachable',
    'The packets could not be delivered to the host.',
    'The machine or its network is down, or its address is not routed.',
  ),

  smtp_banner_timeout: text(
    'Mail server does not greet',
    'The connection was accepted, but no greeting came in time.',
    'The mail server is overloaded, waits for slow lookups (reverse DNS, block lists), or delays unknown clients on purpose. Compare with the timeout.',
  ),
  smtp_not_spoken: text(
    'Server does not speak SMTP',
    'What the server sent is not a reply of a mail server.',
    'Another program listens on this port, or the port expects TLS from the beginning. Check the port.',
  ),
  smtp_refused: text(
    'Mail server turns us away',
    'The mail server greeted with a refusal.',
    '4xx: it is overloaded or limits connections, try later. 5xx: it takes no mail here or blocks the stations. See its message and log.',
  ),
  smtp_helo_refused: text(
    'Greeting refused',
    'The mail server did not accept our HELO.',
    'The server does not like the name it was given, or blocks the station. Set helo_name in the service, and see the server’s log.',
  ),
  smtp_starttls_missing: text(
    'STARTTLS not offered',
    'The mail server does not offer to encrypt the connection.',
    'Enable TLS in the mail server; its certificate may be missing. Mail to it travels in plain text meanwhile.',
  ),
  smtp_starttls_refused: text(
    'STARTTLS refused',
    'The mail server offers encryption but refused to begin it.',
    'The certificate or key cannot be read by the mail server. See its log.',
  ),
  smtp_closed: text(
    'Mail server hung up',
    'The mail server closed the connection in the middle of the talk.',
    'It crashed, limits the number of connections, or blocks the station. See its log.',
  ),
  smtp_reply_timeout: text(
    'Mail server falls silent',
    'The mail server greeted but did not answer a command in time.',
    'It is overloaded or waits for something slow, such as lookups. See its log and its load.',
  ),

  protocol_answer_timeout: text(
    'Server does not answer in time',
    'The server took the connection, but what it had to say did not come before the end of the check.',
    'It is overloaded, waits for something slow, or speaks another protocol on this port. See its log and its load, and whether the port and the TLS mode of the service are right.',
  ),
  protocol_not_spoken: text(
    'Server speaks another protocol',
    'What the server says is not the protocol that is checked.',
    'Another program listens on this port, or one side expects TLS where the other does not. Check the port and the TLS mode of the service.',
  ),
  protocol_closed: text(
    'Server hung up',
    'The server closed the connection before it had answered.',
    'It stops such clients (see its list of allowed addresses and its limit of connections), it crashed, or it expects TLS. See its log at the time of the check.',
  ),
  protocol_refused: text(
    'Server turned the client away',
    'The server answered that it does not serve the client; the message is its own.',
    'The message tells why: too many connections, an address that is not allowed, a server that is starting or stopping.',
  ),
  protocol_answer_too_large: text(
    'Answer has no end',
    'The server sent more than a check reads.',
    'Ask for less: a query with one row, a smaller message. A server that floods every client is broken or is not what it should be.',
  ),
  starttls_missing: text(
    'Server offers no TLS',
    'The service is to switch to TLS, but the server does not offer that.',
    'Turn TLS on in the server’s settings, or choose another TLS mode for the service if the connection may stay open to everybody.',
  ),
  starttls_refused: text(
    'Server refuses to switch to TLS',
    'The server offers TLS but refuses to begin it.',
    'Its certificate or key is often missing or unreadable. See its log.',
  ),
  login_refused: text(
    'Login refused',
    'The server did not accept the username and the password.',
    'The password was changed, the user is missing or locked, or may not log in from the stations’ addresses. Set both again in the service.',
  ),
  login_required: text(
    'Server wants a login',
    'The server does not serve anybody without a username and a password, and the service has none.',
    'Give the service a username and a password, best of a user who may do nothing else.',
  ),
  login_unsafe: text(
    'Password would be readable on the way',
    'The server wants the password in plain text over a connection without TLS, so it was not sent.',
    'Choose a TLS mode for the service, or let the server ask for the password in a safer way.',
  ),
  login_method_unknown: text(
    'Server wants another kind of login',
    'The server accepts no way of logging in that the stations know.',
    'The message names what it wants. Allow the user of this service a login by password (SCRAM, or the usual one of the server).',
  ),
  query_refused: text(
    'Query failed',
    'The server answered the query or the command with an error; the message is its own.',
    'Try the query by hand as the same user. A missing right, a renamed table and a misspelt command end like this.',
  ),
  value_missing: text(
    'There is no value to compare',
    'The server answered, but without the value that the service compares.',
    'The query gives no row, the metric or the object does not exist (any more). Try the query by hand.',
  ),
  value_differs: text(
    'Value is not as expected',
    'The value that the server gave is not what the service expects.',
    'The message has both. See what it means for your system, or correct what the service expects.',
  ),
  message_missing: text(
    'No message came',
    'The subscription was accepted, but no message that the service waits for came in time.',
    'Whoever should publish there may have stopped, or publishes to another topic. For topics with rare messages use retained ones, or a longer timeout.',
  ),
  websocket_refused: text(
    'Server refuses the WebSocket',
    'The server answered over HTTP but did not switch to WebSocket.',
    'Check the path. A proxy in between must pass the Upgrade and Connection headers on. Some servers want an Origin header or a login.',
  ),
  server_clock_off: text(
    'Server’s clock is wrong',
    'The time that the server gives differs from the station’s by more than the service allows.',
    'See that the server has its own sources of time and reaches them. If several stations agree, the server is wrong.',
  ),
  server_clock_unsynchronised: text(
    'Server has no time to give',
    'The time server says that its own clock is not synchronised.',
    'It lost its sources: see chronyc sources or ntpq -p on that machine, and its firewall.',
  ),
  not_serving: text(
    'Service says that it does not serve',
    'The server’s own health service answers that this service is not serving, or knows no such service.',
    'See the log of the server. For an unknown service, correct its name: it is the full name, such as package.Service.',
  ),
  host_key_differs: text(
    'Server has another host key',
    'The server shows another key than the service expects, or cannot prove that it has its key.',
    'If nobody changed the key, somebody else may be answering: compare the fingerprint on the machine itself (ssh-keygen -lf). If it was changed, enter the new one.',
  ),

  page_timeout: text(
    'Page does not finish loading',
    'The browser did not reach the page’s load event within the time limit.',
    'Something the page waits for is slow or never ends: the HAR names it, the screenshot shows how far it came. Speed it up, or raise the timeout of the service.',
  ),
  page_navigation_failed: text(
    'Page cannot be opened',
    'The browser failed to open the page; the message holds its own reason.',
    'Open the address in a browser. The message and the HAR tell which request failed and why.',
  ),
  page_crashed: text(
    'Page crashes the browser',
    'The page’s process ended while it loaded, most often because it ran out of memory.',
    'A script of the page takes more memory than a browser gives to it, or trips over a fault of the browser. Open the page with the developer tools and watch its memory.',
  ),
  page_unresponsive: text(
    'Page does not respond',
    'The page loaded but then answered nothing: one of its scripts does not end.',
    'A visitor sees a frozen page. Look for an endless loop in scripts that run when the page has loaded.',
  ),
  page_navigation_loop: text(
    'Page never stops navigating',
    'The page sent the browser to another page again and again, by scripts or refresh headers.',
    'Two pages send a visitor to each other, or a page reloads itself at once, often because a cookie is missing. Open the address in a private window.',
  ),
  page_dialog_loop: text(
    'Page never stops asking',
    'The page opened one dialog after another and did not go on.',
    'A script calls alert, confirm or prompt without end. Open the page in a browser and look for what triggers it.',
  ),
  page_is_download: text(
    'Address is a download',
    'The address answers with a file to be saved instead of a page.',
    'The server sends a type that browsers do not show, or Content-Disposition: attachment. Correct the headers, or check this address with the type http.',
  ),
  page_too_large: text(
    'Page is too large',
    'Loading the page took more bytes than permitted.',
    'The HAR names the largest parts: uncompressed images, videos, an endless response. Shrink them, or raise the largest size in the service’s settings.',
  ),
  page_too_many_requests: text(
    'Page makes too many requests',
    'The page asked for more files than any page needs.',
    'A script requests something over and over. The HAR shows what.',
  ),
  page_resource_failed: text(
    'Part of the page is missing',
    'The page opened, but something it consists of could not be loaded.',
    'The message names the first parts that failed. Restore them or remove them from the page, or switch fail_on_resource_errors off.',
  ),
  scenario_element_missing: text(
    'An element of the scenario is missing',
    'A step of the scenario did not find its element, or the element was not to be seen, within the step’s time.',
    'The message names the step and what it looked for; the screenshot shows the page at that moment. If the page was changed on purpose, record the scenario anew.',
  ),
  scenario_step_timeout: text(
    'A step of the scenario took too long',
    'What the step does did not come to its end within the step’s time.',
    'The page loads too slowly, or something covers or disables the element: see the screenshot and the HAR. If the page is meant to be that slow, give the step or the recording a longer timeout.',
  ),
  scenario_step_failed: text(
    'A step of the scenario failed',
    'The browser could not do what the step says.',
    'The message is the browser’s own. A selector may be invalid or lead to an element that this cannot be done with: play the recording in the Recorder.',
  ),
  scenario_navigation_missing: text(
    'The next page of the scenario never came',
    'The recording asserts that the step leads to another page, but the browser stayed where it was.',
    'Look at the screenshot: often the page shows why, such as a message beside a form. Then look for failed requests in the HAR.',
  ),
  scenario_url_differs: text(
    'The scenario led to another address',
    'The page that followed the step has another address than the recording asserts.',
    'A login that was refused and a redirect that changed end like this. Where a part of the address changes every time, write * in its place.',
  ),
  scenario_title_differs: text(
    'The scenario met a page of another title',
    'The page that followed the step has another title than the recording asserts.',
    'The screenshot shows what came instead: often an error page, or the login form again. Where a part of the title changes, write * in its place.',
  ),
  scenario_target_missing: text(
    'A frame of the scenario is missing',
    'The step belongs to a window or a frame that was not there within the step’s time.',
    'See whether the page still opens it. If its address changes every time, write * in place of what changes.',
  ),
  scenario_timeout: text(
    'The scenario did not come to its end',
    'The time for the whole scenario was over before its last step.',
    'The times of the steps show which of them are slow. Make them faster, shorten the scenario or raise the timeout of the service.',
  ),

  sensor_lost: text(
    'Station was lost',
    'The connection with the station broke off, so it could not report.',
    'This says nothing about your service. Other stations decide; nothing needs to be done.',
  ),
  sensor_late: text(
    'Station reported too late',
    'The station did not report before the round was decided.',
    'This says nothing about your service. If it happens often, the station is overloaded.',
  ),
  sensor_held: text(
    'Station was held up',
    'The station’s machine was stopped or overloaded while it waited, so the time it measured means nothing.',
    'This says nothing about your service. If it happens often, give the station’s machine more power.',
  ),
  sensor_out_of_sockets: text(
    'Station has no free connection',
    'The station’s machine could not open another connection.',
    'This says nothing about your service. The operator should raise the limit of open files or spread the load.',
  ),
  sensor_without_resolver: text(
    'Station cannot look up names',
    'No name server of the station’s machine answers.',
    'This says nothing about your service. The operator should check the name servers of that machine.',
  ),
  sensor_without_network: text(
    'Station has no way there',
    'The station’s machine has no route to this address, for example no IPv6.',
    'This says nothing about your service. The operator should check the network of that machine.',
  ),
  sensor_not_permitted: text(
    'Station is not permitted',
    'The station’s own system forbids this connection.',
    'This says nothing about your service. The operator should check the firewall and the rights of that machine.',
  ),
  sensor_cannot_ping: text(
    'Station cannot ping',
    'The station’s system permits neither ping sockets nor the ping program.',
    'This says nothing about your service. The operator should set net.ipv4.ping_group_range or install the ping program.',
  ),
  sensor_fault: text(
    'Fault in the station',
    'The station failed for an unexpected reason of its own.',
    'This says nothing about your service. Please report the technical message to the operator.',
  ),
  type_not_supported: text(
    'Station cannot check this type',
    'The station does not know how to check services of this type.',
    'This says nothing about your service. Choose other stations for it, or update the station.',
  ),
  setting_invalid: text(
    'Setting cannot be used',
    'One of the settings of the service makes no sense, so nothing was checked.',
    'The message names the setting. Correct it.',
  ),
  browser_missing: text(
    'Station has no browser',
    'Pages are checked with Chromium, and the station’s machine has none.',
    'This says nothing about your service. The operator should install chromium-headless-shell or set CHROMIUM_PATH.',
  ),
  browser_not_isolated: text(
    'Station’s browser is not isolated',
    'Anybody may register here, and the station’s browser has neither its sandbox nor a container around it, so it opens no pages.',
    'This says nothing about your service. The operator should run the station as a user other than root, or in a container with CHROMIUM_SANDBOX=container.',
  ),
  browser_failed: text(
    'Station’s browser failed',
    'The browser of the station could not be started, or ended during the check.',
    'This says nothing about your service. The operator should see the station’s log and run latarnik doctor.',
  ),
  sensor_address_refused: text(
    'Station may not check this address',
    'The address of the service is private, local or reserved, and this station does not dial such addresses.',
    'This says nothing about your service. Choose a station inside your network. If you run the installation, allow the range where the station runs (ALLOW_PRIVATE_TARGETS). If the address should be public, correct the DNS record.',
  ),
  sensor_redirect_refused: text(
    'Station may not follow to this address',
    'A redirect, the page or the scenario leads on to a private, local or reserved address, and this station does not dial that one.',
    'This says nothing about your service. Choose a station that may dial both addresses. If you run the installation, allow the range that the redirect, the page or the scenario leads to where the station runs (ALLOW_PRIVATE_TARGETS). If it should not lead there, correct the redirect.',
  ),
  sensor_resolver_refused: text(
    'Station’s name server refuses the name',
    'The name server of the station’s machine answers other questions, but refuses to answer this one.',
    'This says nothing about your service. The operator should check the rules of that name server.',
  ),
  sensor_clock_off: text(
    'Station’s clock is wrong',
    'The dates of the certificate, or the time of the time server, do not fit the clock of the station’s machine, but that clock is wrong.',
    'This says nothing about your service. The operator should set the clock of that machine.',
  ),
  pattern_late: text(
    'Station had no time for the pattern',
    'The station searches for many patterns, and this one did not have its turn before the end of the check.',
    'This says nothing about your service. If it happens often, the operator should add stations, or look for the account that uses the most time.',
  ),
  assertion_not_evaluated: text(
    'Assertion could not be evaluated',
    'The station could not evaluate an assertion: the response is too large or too deep, or the path takes too long.',
    'This says nothing about your service. Use a more exact path (without “..”), or let the server send a smaller response.',
  ),
  pattern_budget_used: text(
    'Account’s time for patterns is used up',
    'The patterns of your account took all the time that it may use on this station while other accounts wait.',
    'This says nothing about your service. Use simpler patterns (fewer repetitions in braces), smaller pages, or longer intervals.',
  ),
  browser_busy: text(
    'Station’s browser is busy',
    'No place in the station’s browser became free in time.',
    'This says nothing about your service. If it happens often, the station’s machine needs more cores or fewer page checks.',
  ),
  heartbeat_late: text(
    'Heartbeat is late',
    'No report came by the expected moment and its grace.',
    'Look whether the job ran: its machine, its scheduler, its log. If it ran, look whether it reaches the ping address. If it often ends later, give it more grace.',
  ),
  heartbeat_failed: text(
    'Job reported a failure',
    'The job itself reported that it failed; its exit status is given if it sent one.',
    'Read what it sent with the ping, and its log. The failure ends with the next report of success.',
  ),
  heartbeat_overrun: text(
    'Job runs too long',
    'The job reported its start, and no end within its longest time.',
    'Look whether it hangs or was killed. If it may take longer, set a higher max_run_time.',
  ),
  heartbeat_awaited: text(
    'Waiting for a report',
    'The service has not reported since it was made or resumed.',
    'This says nothing about your service. Let the job call the ping address; the first report begins the watch.',
  ),
  domain_expired: text(
    'Registration of the domain has ended',
    'The registry names an end of the registration that has passed.',
    'Renew the domain at its registrar at once: soon somebody else may register it. Switch on automatic renewal, and see whether the card there is valid.',
  ),
  domain_missing: text(
    'Domain is not registered',
    'The registry does not know the domain.',
    'Correct the domain if it is misspelt. If it was yours, ask its registrar whether it can still be restored.',
  ),
  domain_in_deletion: text(
    'Domain is being deleted',
    'The registry has marked the domain for deletion, usually because it was not renewed. It has left the DNS.',
    'Restore it through its registrar at once; after some weeks anybody may register it.',
  ),
  domain_on_hold: text(
    'Domain is on hold',
    'The registrar or the registry keeps the domain out of the DNS, so its pages and mail are not found.',
    'Ask the registrar for the reason: often a payment, an unconfirmed address of the owner, or a dispute.',
  ),
  domain_name_servers_differ: text(
    'Domain has other name servers',
    'The registry names other name servers of the domain than the service expects.',
    'If you moved the domain, correct expected_name_servers. If you did not, look at the account at the registrar: somebody may have taken the domain over.',
  ),
  domain_registrar_differs: text(
    'Domain has another registrar',
    'The registry names another registrar of the domain than the service expects.',
    'If you transferred the domain, correct expected_registrar. If you did not, call the registrar at once.',
  ),
  domain_not_signed: text(
    'Domain is not signed',
    'The registry says that the domain is not secured by DNSSEC.',
    'Give the registrar the DS records of your name server, or switch off require_dnssec.',
  ),
  registry_unknown: text(
    'No registry is known for the domain',
    'The list of the registries has no server that answers for this top-level domain.',
    'This says nothing about your domain. Some countries publish no registrations in this way.',
  ),
  registry_silent: text(
    'Registry does not answer',
    'The registry of the domain, or the list of registries, could not be reached.',
    'This says nothing about your domain; it is tried again. If it lasts, the operator should see whether the installation may reach the registries (RDAP_BOOTSTRAP_URL).',
  ),
  registry_refused: text(
    'Registry asks for a pause',
    'The registry refuses further questions for now.',
    'This says nothing about your domain; the registry is asked again after the pause that it wants.',
  ),
  registry_answer_invalid: text(
    'Registry’s answer cannot be used',
    'The registry answered with an error, about something else, or against its earlier answer.',
    'This says nothing about your domain; the registry is asked again.',
  ),
}
