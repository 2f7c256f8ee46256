import { Tabs as BaseTabs } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

type TabsProps<Id extends string> = {
  tabs: readonly { id: Id; label: string; panel: ReactNode }[]
  value: Id
  onChange: (id: Id) => void
  /** What the tabs are about, for screen readers. */
  label?: string | undefined
}

/** Several views of one thing; only the chosen panel is rendered. On phones the row of tabs scrolls sideways. */
export function Tabs<Id extends string>({ tabs, value, onChange, label }: TabsProps<Id>) {
  return (
    <BaseTabs.Root value={value} onValueChange={(next: Id) => onChange(next)}>
      <BaseTabs.List aria-label={label} className="relative flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <BaseTabs.Tab
            key={tab.id}
            value={tab.id}
            className="min-h-11 shrink-0 rounded-t-lg px-3 text-base font-medium whitespace-nowrap text-ink-soft hover:text-ink focus-visible:-outline-offset-2 data-active:font-semibold data-active:text-ink"
          >
            {tab.label}
          </BaseTabs.Tab>
        ))}
        <BaseTabs.Indicator className="absolute bottom-0 start-0 h-[3px] w-(--active-tab-width) translate-x-(--active-tab-left) rounded-full bg-noon transition-[translate,width] duration-200" />
      </BaseTabs.List>
      {tabs.map((tab) => (
        <BaseTabs.Panel key={tab.id} value={tab.id} className="pt-6">
          {tab.panel}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  )
}
