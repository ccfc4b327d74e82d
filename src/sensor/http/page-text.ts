import { isUtf8 } from 'node:buffer'
import sniffEncoding from 'html-encoding-sniffer'
import iconv from 'iconv-lite'

/**
 * The page as text, by the byte order mark, then the header's charset, then the page's own declaration, else a guess.
 */
export function pageText(bytes: Buffer, contentType: string | null): string {
  const label = /charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1]
  const encoding = sniffEncoding(bytes, {
    ...(label === undefined ? {} : { transportLayerEncodingLabel: label }),
    defaultEncoding: isUtf8(bytes) ? 'UTF-8' : 'windows-1252',
  })
  return iconv.encodingExists(encoding) ? iconv.decode(bytes, encoding) : bytes.toString('utf8')
}
