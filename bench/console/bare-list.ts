import { createServer, type Server } from 'node:http'

/** What scrolling costs at least: rows of the same height and number, plain text, drawn by the fewest lines of script. */
const document = (rows: number) => `<!doctype html>
<meta charset="utf-8"><title>bare</title>
<style>
body { margin: 0; font: 15px/1.45 system-ui, sans-serif }
#list { position: relative; contain: strict; height: ${rows * 52}px }
#list div { position: absolute; left: 0; width: 100%; height: 52px; border-bottom: 1px solid #ddd; display: grid;
  grid-template-columns: 8rem 3fr 1fr 1fr 2fr; align-items: center; contain: layout paint }
</style>
<div id="list"></div>
<script>
const list = document.getElementById('list'), drawn = new Map()
function draw() {
  const first = Math.max(0, Math.floor(scrollY / 52) - 8), last = Math.min(${rows - 1}, Math.ceil((scrollY + innerHeight) / 52) + 8)
  for (const [index, row] of drawn) if (index < first || index > last) { row.remove(); drawn.delete(index) }
  for (let index = first; index <= last; index++) {
    if (drawn.has(index)) continue
    const row = document.createElement('div')
    row.style.transform = 'translateY(' + index * 52 + 'px)'
    for (const text of ['OK', 'Service ' + index, 'HTTP', 'Group', '']) {
      const cell = document.createElement('span')
      cell.textContent = text
      row.append(cell)
    }
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
    svg.setAttribute('viewBox', '0 0 120 26')
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
    path.setAttribute('d', Array.from({ length: 30 }, (_, day) => 'M' + day * 4 + ' 0h3v26h-3z').join(''))
    svg.append(path)
    row.lastChild.append(svg)
    list.append(row)
    drawn.set(index, row)
  }
}
addEventListener('scroll', draw, { passive: true })
draw()
</script>`

/** Serves the bare list. */
export function bareList(rows: number): Server {
  const body = document(rows)
  return createServer((_request, reply) => reply.writeHead(200, { 'Content-Type': 'text/html' }).end(body))
}
