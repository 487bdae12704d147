// The engines, each as its documentation says to use it: compile(schema) gives a function from a value to whether it
// fits. All stop at the first error, and read 2020-12.
export const engines = {
  hawser: {
    label: 'hawser',
    async make() {
      const { compile } = await import('hawser/schema');
      return (schema) => {
        const compiled = compile(schema);
        return (value) => compiled.validate(value).valid;
      };
    },
  },
  'hawser-untrusted': {
    label: 'hawser, untrusted',
    async make() {
      const { compileUntrusted } = await import('hawser/schema');
      return async (schema) => {
        const compiled = await compileUntrusted(schema);
        return (value) => compiled.validate(value).valid;
      };
    },
  },
  'hawser-flag': {
    label: 'hawser, isValid',
    async make() {
      const { compile } = await import('hawser/schema');
      return (schema) => {
        const compiled = compile(schema);
        return (value) => compiled.isValid(value);
      };
    },
  },
  ajv: {
    label: 'Ajv 8',
    async make() {
      const { Ajv2020 } = await import('ajv/dist/2020.js');
      return (schema) => new Ajv2020({ strict: false }).compile(schema);
    },
    // With one instance for all schemas its own start is not counted, which is 2 ms.
    async makeWarm() {
      const { Ajv2020 } = await import('ajv/dist/2020.js');
      const ajv = new Ajv2020({ strict: false });
      return (schema) => {
        const validate = ajv.compile(schema);
        ajv.removeSchema(schema);
        return validate;
      };
    },
  },
  cfworker: {
    label: '@cfworker',
    async make() {
      const { Validator } = await import('@cfworker/json-schema');
      return (schema) => {
        const validator = new Validator(schema, '2020-12', true);
        return (value) => validator.validate(value).valid;
      };
    },
  },
  hyperjump: {
    label: '@hyperjump',
    async make() {
      const { registerSchema, unregisterSchema, validate } = await import('@hyperjump/json-schema/draft-2020-12');
      let next = 0;
      return async (schema) => {
        const uri = `https://bench.test/${next++}`;
        registerSchema(schema, uri);
        const validator = await validate(uri);
        unregisterSchema(uri);
        return (value) => validator(value).valid;
      };
    },
  },
};
