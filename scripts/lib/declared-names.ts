/** The names that a source file declares and uses. Reads no disk, so that tests can pass any text. */
import { type ESTree, parseSync, Visitor } from 'vite';
import { isBareParticiple } from './vocabulary.ts';

export interface DeclaredName {
  readonly name: string;
  readonly line: number;
  readonly isExported: boolean;
  readonly isFunction: boolean;
}

export function readDeclaredNames(file: string, text: string): DeclaredName[] {
  const { program, errors } = parseSync(file, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file} does not parse: ${error.message}`);
  const names = program.body.flatMap((statement) => {
    const isExported =
      statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration';
    const declaration = isExported ? statement.declaration : statement;
    return declaration === null || declaration === undefined
      ? []
      : namesOf(declaration).map(({ id, isFunction }) => ({
          name: id.name,
          line: text.slice(0, id.start).split('\n').length,
          isExported,
          isFunction,
        }));
  });
  // An overloaded function declares its name once.
  return [...new Map(names.map((one) => [one.name, one])).values()];
}

/**
 * The first line of each identifier at any depth: names of members, parameters and locals. Names in snake_case are left
 * out: they are words of the wire, and the tables of docs/protocol.md hold those. A bare participle may name a local, so
 * it is in the result only if a member of a class or an interface has this name.
 */
export function readIdentifiers(file: string, text: string): Map<string, number> {
  const lines = new Map<string, number>();
  new Visitor({
    Identifier(one) {
      if (!isBareParticiple(one.name)) note(one);
    },
    PrivateIdentifier: note,
    PropertyDefinition: noteMember,
    MethodDefinition: noteMember,
    TSPropertySignature: noteMember,
    TSMethodSignature: noteMember,
  }).visit(parseSync(file, text).program);
  return lines;

  function noteMember({ key }: { readonly key: ESTree.PropertyKey }): void {
    if (key.type === 'Identifier') note(key);
  }

  function note({ name, start }: { readonly name: string; readonly start: number }): void {
    if (lines.has(name) || /[a-z]_[a-z]/.test(name)) return;
    lines.set(name, text.slice(0, start).split('\n').length);
  }
}

interface NamedNode {
  readonly id: { readonly name: string; readonly start: number };
  readonly isFunction: boolean;
}

function namesOf(node: ESTree.Node): NamedNode[] {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
      return node.id === null ? [] : [{ id: node.id, isFunction: true }];
    case 'ClassDeclaration':
      return node.id === null ? [] : [{ id: node.id, isFunction: false }];
    case 'TSTypeAliasDeclaration':
    case 'TSInterfaceDeclaration':
      return [{ id: node.id, isFunction: false }];
    case 'VariableDeclaration':
      return node.declarations.flatMap(({ id, init }) => {
        if (id.type !== 'Identifier') return [];
        const isFunction =
          init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression';
        return [{ id, isFunction }];
      });
    default:
      return [];
  }
}
