/** The parts of an OpenAPI 3.1 document that this folder writes and the reference page reads. */
import type * as z from '../../protocol/schema/zod.ts';
import type { ErrorCode } from '../../protocol/errors.ts';
import type { Json } from '../../protocol/json.ts';

/** JSON Schema 2020-12, which is what OpenAPI 3.1 uses. */
export type Schema = z.core.JSONSchema.JSONSchema;

export interface Media {
  readonly schema?: Schema;
  readonly example?: Json;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: string;
}

export interface ResponseHeader {
  readonly description: string;
  readonly schema: Schema;
}

export interface OperationResponse {
  readonly description: string;
  /** On a rejection: its possible codes. */
  readonly 'x-codes'?: readonly ErrorCode[];
  readonly headers?: Readonly<Record<string, ResponseHeader>>;
  readonly content?: Readonly<Record<string, Media>>;
}

/** Points at `components.responses`. */
export interface ResponseReference {
  readonly $ref: string;
}

/** OpenAPI cannot describe these: the frames of a socket, and how a browser sends a token. */
interface SocketNote {
  readonly subprotocols: readonly string[];
  readonly sends?: Schema;
  readonly receives: Schema;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, Media>>;
  };
  readonly responses: Readonly<Record<string, OperationResponse | ResponseReference>>;
  readonly security?: readonly [];
  /** Any one of them is enough, and so is `admin`; empty where no credential is needed. */
  readonly 'x-scopes': readonly string[];
  readonly 'x-websocket'?: SocketNote;
}

interface ErrorNote {
  readonly status: number;
  readonly retry: 'never' | 'now' | 'later';
  readonly close: number;
  readonly meaning: string;
}

export interface Tag {
  readonly name: string;
  readonly description: string;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly contact: { readonly name: string };
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>;
    readonly responses: Readonly<Record<string, OperationResponse>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
  readonly 'x-errors': Readonly<Record<ErrorCode, ErrorNote>>;
}
