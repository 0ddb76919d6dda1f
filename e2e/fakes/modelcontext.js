// A stand-in for document.modelContext as different Chrome versions have it,
// for tests in a browser without the feature. It follows the tables of
// spec/webmcp-api.md; each `version` below is a row of them. The modules
// chrome150.js, chrome155.js, chrome159.js, chrome160.js and strict.js beside it
// install one variant each.

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
const HINTS = [
  ['readOnlyHint', 146],
  ['untrustedContentHint', 146],
  ['consequentialHint', 154],
  ['debugging', 156],
];
// What a browser that validates input would let a schema say.
const SUBSET = new Set([
  'type', 'properties', 'required', 'enum', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength',
  'maxLength', 'pattern', 'items', 'prefixItems', 'additionalProperties', 'default', 'description',
]);

const failed = () =>
  new DOMException(
    'Tool was executed but the invocation failed. For example, the script function threw an error',
    'UnknownError',
  );
const gone = () =>
  new DOMException('The operation failed for an unknown transient reason (e.g. out of memory).', 'UnknownError');

// Refuses what a stricter browser might: unknown keywords and lists of types.
function strictSchema(schema) {
  for (const [key, value] of Object.entries(schema)) {
    if (!SUBSET.has(key)) throw new TypeError(`Failed to execute 'registerTool': unsupported keyword ${key}`);
    if (key === 'type' && Array.isArray(value)) throw new TypeError("Failed to execute 'registerTool': type is a list");
    if (key === 'properties') Object.values(value).forEach(strictSchema);
    if (key === 'items') strictSchema(value);
  }
}

// Reads a tool as WebIDL does, once.
function read(tool, version, strict) {
  if (tool === null || typeof tool !== 'object') throw new TypeError('The provided value is not of type ModelContextTool.');
  const { name, title, description, inputSchema, outputSchema, execute, annotations } = tool;
  for (const [key, value] of Object.entries({ name, description, execute })) {
    if (value === undefined) throw new TypeError(`Failed to read the '${key}' property: Required member is undefined.`);
  }
  if (typeof execute !== 'function') throw new TypeError("Failed to read the 'execute' property: The value is not a function.");
  if (inputSchema !== undefined && (inputSchema === null || typeof inputSchema !== 'object')) {
    throw new TypeError("Failed to read the 'inputSchema' property: The value is not an object.");
  }
  const schema = inputSchema === undefined ? undefined : JSON.stringify(inputSchema);
  if (inputSchema !== undefined && schema === undefined) throw new TypeError('inputSchema has no JSON form');
  if (strict && inputSchema !== undefined) strictSchema(inputSchema);
  if (!NAME.test(String(name))) throw new DOMException('Invalid tool name', 'InvalidStateError');
  if (String(description) === '') throw new DOMException('Description is required', 'InvalidStateError');
  const hints = {};
  for (const [hint, since] of HINTS) {
    if (annotations && version >= since) hints[hint] = Boolean(annotations[hint]);
  }
  return {
    name: String(name),
    title: title === undefined ? '' : String(title).toWellFormed(),
    description: String(description).isWellFormed() ? String(description) : '',
    schema,
    output: version >= 159 && outputSchema !== undefined ? JSON.stringify(outputSchema) : undefined,
    annotations: annotations ? hints : undefined,
    execute,
    calls: new Set(),
  };
}

// The text that executeTool resolves with.
function asText(value) {
  if (typeof value === 'symbol') throw new Error('a symbol crashes the renderer');
  if (typeof value === 'string') {
    if (!value.isWellFormed()) return null;
    return value === '' ? 'Operation succeeded' : value;
  }
  if (value === undefined || typeof value === 'function') return 'undefined';
  if (value !== null && typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

class Tool {
  #record;
  constructor(record, window) {
    this.#record = record;
    const parse = (text) => (text === undefined ? null : JSON.parse(text));
    Object.defineProperties(this, {
      name: { value: record.name },
      title: { value: record.title },
      description: { value: record.description },
      inputSchema: { value: parse(record.schema) },
      outputSchema: { value: parse(record.output) },
      annotations: { value: record.annotations ?? null },
      origin: { value: location.origin },
      source: { value: window },
    });
  }
  static recordOf(tool) {
    return #record in tool ? tool.#record : undefined;
  }
}

function makeModelContext(version, strict) {
  const tools = new Map();
  const context = new EventTarget();
  const change = () => queueMicrotask(() => context.dispatchEvent(new Event('toolchange')));

  const add = (tool, options) => {
    const signal = options?.signal;
    if (signal === null) throw new TypeError("Failed to read the 'signal' property: The value is not an AbortSignal.");
    const record = read(tool, version, strict);
    if (tools.has(record.name)) throw new DOMException('Duplicate tool name', 'InvalidStateError');
    if (signal?.aborted) {
      if (version < 152) return null; // nothing is registered, nothing is said
      throw signal.reason;
    }
    tools.set(record.name, record);
    change();
    signal?.addEventListener('abort', () => {
      if (tools.get(record.name) !== record) return;
      tools.delete(record.name);
      if (version < 153) for (const cancel of record.calls) cancel(gone());
      change();
    });
    return record;
  };

  context.registerTool = (tool, options) => {
    if (version < 151) {
      add(tool, options); // throws at once, answers nothing
      return undefined;
    }
    return new Promise((resolve, reject) => {
      try {
        add(tool, options);
        const signal = options?.signal;
        queueMicrotask(() => queueMicrotask(() => (signal?.aborted ? reject(signal.reason) : resolve(undefined))));
      } catch (error) {
        reject(error);
      }
    });
  };

  const listed = (record) => {
    if (version >= 160) return new Tool(record, window);
    const entry = {
      name: record.name,
      title: record.title,
      description: record.description,
      origin: location.origin,
      window,
    };
    if (record.schema !== undefined) entry.inputSchema = version < 155 ? record.schema : JSON.parse(record.schema);
    if (record.output !== undefined) entry.outputSchema = JSON.parse(record.output);
    if (record.annotations) entry.annotations = { ...record.annotations };
    return entry;
  };

  context.getTools = async () =>
    [...tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).map(listed);

  context.executeTool = async (tool, input, { signal } = {}) => {
    let args = input ?? {};
    if (version < 155) {
      try {
        args = JSON.parse(typeof input === 'string' ? input : String(input));
      } catch {
        throw new DOMException('Failed to parse input arguments', 'UnknownError');
      }
    } else if (typeof args !== 'object') {
      throw new TypeError("Failed to execute 'executeTool': invalid input object: value is not an object");
    }
    args = JSON.parse(JSON.stringify(args));
    if (signal?.aborted) throw signal.reason;
    const record = version >= 160 && tool instanceof Tool ? Tool.recordOf(tool) : tools.get(tool.name);
    if (!record || tools.get(record.name) !== record) throw gone();
    return new Promise((resolve, reject) => {
      const controller = new AbortController();
      const done = (settle, value) => {
        record.calls.delete(cancel);
        settle(value);
      };
      const cancel = (reason) => done(reject, reason);
      record.calls.add(cancel);
      const tell = (type) => {
        const event = Object.assign(new Event(type), { toolName: record.name });
        (version >= 156 ? context : window).dispatchEvent(event);
      };
      signal?.addEventListener('abort', () => {
        done(reject, signal.reason);
        controller.abort();
        tell('toolcancel');
      });
      let answer;
      try {
        answer =
          version >= 153 ? record.execute.call(undefined, args, { signal: controller.signal }) : record.execute.call(undefined, args);
      } catch (error) {
        console.error('WebMCP tool execution failed:', error);
        done(reject, failed());
        return;
      }
      tell('toolactivated');
      Promise.resolve(answer).then(
        (value) => {
          try {
            done(resolve, asText(value));
          } catch {
            done(reject, failed());
          }
        },
        (error) => {
          console.error('WebMCP tool execution failed:', error);
          done(reject, failed());
        },
      );
    });
  };
  return context;
}

// Puts the stand-in on this document, and on navigator where the version had it.
export function install(version, { strict = false } = {}) {
  const context = makeModelContext(version, strict);
  Object.defineProperty(Document.prototype, 'modelContext', { configurable: true, get: () => context });
  if (version < 152) Object.defineProperty(Navigator.prototype, 'modelContext', { configurable: true, get: () => context });
}
