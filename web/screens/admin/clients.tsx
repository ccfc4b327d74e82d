import { useState } from 'react'
import type { Schemas } from '../../api/answers.ts'
import { callTo } from '../../api/calls.ts'
import { CheckField, LinesField, TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Listing } from '../../parts/listing.tsx'
import { useWords } from '../../words/words.ts'
import { adminWords } from './words.ts'

type Client = Schemas['admin_oauth_clients']

/** Applications that may log people in. */
export function Clients() {
  const words = useWords(adminWords)
  const [edited, setEdited] = useState<Client | 'new' | null>(null)
  const [removed, setRemoved] = useState<Client | null>(null)
  return (
    <section className="card">
      <header>
        <h2>{words.clients}</h2>
        <button type="button" className="button small" data-shortcut="n" onClick={() => setEdited('new')}>
          <Icon name="add" />
          {words.addClient}
        </button>
      </header>
      <Listing path="/admin/oauth_clients?sort=name" what={words.clients} empty={words.noClients} canSearch>
        {(rows) => (
          <ul className="items">
            {rows.map((client) => (
              <li key={client.id}>
                <span className="what">
                  <b>{client.name}</b>
                  <span className="dim">{client.client_id}</span>
                  <span className="dim">{client.redirect_uris.join(', ')}</span>
                </span>
                <span className="row">
                  <button type="button" className="button small" onClick={() => setEdited(client)}>
                    {words.edit}
                  </button>
                  <button type="button" className="button small danger" onClick={() => setRemoved(client)}>
                    {words.remove}
                  </button>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Listing>
      {edited === null ? null : <ClientForm client={edited === 'new' ? null : edited} closed={() => setEdited(null)} />}
      {removed === null ? null : (
        <FormDialog
          title={words.removeTitle(removed.name)}
          action={words.remove}
          isDangerous
          request={() => callTo('DELETE', `/admin/oauth_clients/${removed.id}`)}
          closed={() => setRemoved(null)}
        >
          <p>{words.removeClientText}</p>
        </FormDialog>
      )}
    </section>
  )
}

function ClientForm({ client, closed }: { readonly client: Client | null; readonly closed: () => void }) {
  const words = useWords(adminWords)
  const [identifier, setIdentifier] = useState(client?.client_id ?? '')
  const [name, setName] = useState(client?.name ?? '')
  const [redirects, setRedirects] = useState(client?.redirect_uris.join('\n') ?? '')
  const [isImplicit, setImplicit] = useState(client?.is_implicit_flow_allowed ?? false)
  const body = {
    ...{ client_id: identifier, name, is_implicit_flow_allowed: isImplicit },
    redirect_uris: redirects.split(/\s+/).filter(Boolean),
  }
  return (
    <FormDialog
      title={client === null ? words.addClient : words.editTitle(client.name)}
      action={client === null ? words.add : words.save}
      request={() =>
        client === null
          ? callTo('POST', '/admin/oauth_clients', body)
          : callTo('PUT', `/admin/oauth_clients/${client.id}`, body)
      }
      closed={closed}
    >
      <TextField label={words.clientId} name="client_id" value={identifier} set={setIdentifier} />
      <TextField label={words.name} name="name" value={name} set={setName} />
      <LinesField label={words.redirects} name="redirect_uris" value={redirects} set={setRedirects} />
      <CheckField label={words.implicit} checked={isImplicit} set={setImplicit} />
    </FormDialog>
  )
}
