import { Icon } from '../../parts/icon.tsx'
import { useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { columns } from './columns.ts'
import { servicesWords } from './words.ts'

/** Which columns there are, and how many days the bars cover; kept with the account. */
export function ColumnPicker() {
  const words = useWords(servicesWords)
  const { preferences, choose } = useReader()
  const { hiddenColumns, barDays } = preferences
  return (
    <div className="column-picker">
      <button type="button" className="button" popoverTarget="column-picker">
        <Icon name="columns" />
        {words.columns}
      </button>
      <div id="column-picker" popover="auto" role="dialog" aria-label={words.columns}>
        {columns
          .filter(({ canHide }) => canHide)
          .map(({ id }) => (
            <label key={id} className="row">
              <input
                type="checkbox"
                checked={!hiddenColumns.includes(id)}
                onChange={({ target }) => {
                  const others = hiddenColumns.filter((other) => other !== id)
                  choose({ hiddenColumns: target.checked ? others : [...others, id] })
                }}
              />
              {words.columnNames[id]}
            </label>
          ))}
        <label className="field">
          {words.days}
          <select value={barDays} onChange={({ target }) => choose({ barDays: target.value === '90' ? 90 : 30 })}>
            <option value={30}>30</option>
            <option value={90}>90</option>
          </select>
        </label>
      </div>
    </div>
  )
}
