import type { SyntaxNode, Tree } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'

/** One series that an expression reads: the metric and what its labels must be. */
export type Selector = { metric: string; matchers: { label: string; value: string }[] }
/** Labels by which something is grouped or joined, and the selectors they are taken from. */
export type Grouping = { labels: string[]; of: Selector[] }
export type ReadExpression = { faults: string[]; selectors: Selector[]; groupings: Grouping[] }

const nodesOf = (tree: Tree | SyntaxNode, name: string): SyntaxNode[] => {
  const found: SyntaxNode[] = []
  tree.cursor().iterate((node) => {
    if (node.name === name) found.push(node.node)
  })
  return found
}

/** Parses an expression by the grammar of Prometheus's own editor. */
export function readExpression(expr: string): ReadExpression {
  const tree = parser.parse(expr)
  const textOf = ({ from, to }: { from: number; to: number }) => expr.slice(from, to)
  const selectorOf = (node: SyntaxNode): Selector => ({
    metric: node.getChild('Identifier') ? textOf(node.getChild('Identifier') ?? node) : '',
    matchers: nodesOf(node, 'UnquotedLabelMatcher').map((matcher) => {
      const [, label = '', value = ''] = /^(\w+)[^"]*"(.*)"$/s.exec(textOf(matcher)) ?? []
      return { label, value }
    }),
  })
  const selectorsOf = (node: Tree | SyntaxNode) =>
    nodesOf(node, 'VectorSelector').map((selector) => selectorOf(selector))
  const groupings = nodesOf(tree, 'GroupingLabels').flatMap((node) => {
    const within = node.parent?.parent
    const labels = nodesOf(node, 'LabelName').map(textOf)
    return within ? [{ labels, of: selectorsOf(within) }] : []
  })
  return {
    faults: nodesOf(tree, '⚠').map(({ from }) => `is no PromQL at ${from}: ${expr}`),
    selectors: selectorsOf(tree),
    groupings,
  }
}
