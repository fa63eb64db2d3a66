import path from 'node:path'
import ts from 'typescript'

/** What an alias of an `export … from` stands for. */
const meant = (checker: ts.TypeChecker, symbol: ts.Symbol) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol

/** The exports of these modules (sources or declarations) that have no docstring, as `folder/file.ts: name`. */
export function undocumentedExports(files: readonly string[]): string[] {
  const program = ts.createProgram(files, {
    ...{ module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
    ...{ allowImportingTsExtensions: true, noEmit: true, target: ts.ScriptTarget.ES2023 },
  })
  const checker = program.getTypeChecker()
  return files.flatMap((file) => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`${file} is no module`)
    return checker
      .getExportsOfModule(module)
      .map((symbol) => meant(checker, symbol))
      .filter((symbol) => symbol.getDocumentationComment(checker).length === 0)
      .map((symbol) => {
        const from = symbol.declarations?.[0]?.getSourceFile().fileName ?? file
        return `${path.basename(path.dirname(from))}/${path.basename(from)}: ${symbol.name}`
      })
  })
}
