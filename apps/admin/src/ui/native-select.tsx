import layout from './layout.module.css'

type NativeSelectProps = {
  id: string
  'aria-describedby'?: string
  'aria-invalid': boolean
  options: readonly { value: string; label: string }[]
  /** What stands there while nothing that is offered is chosen. */
  empty: string
  value: string
  choose: (value: string) => void
}

/** The browser's own list of choices: light enough to stand many times on a page, and above every dialog. */
export function NativeSelect({ options, empty, value, choose, ...attributes }: NativeSelectProps) {
  const known = options.some((option) => option.value === value)
  return (
    <select
      {...attributes}
      className={layout['select']}
      value={known ? value : ''}
      onChange={(event) => choose(event.target.value)}
    >
      {!known && <option value="">{value || empty}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
