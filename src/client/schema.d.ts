/** Types of the API, made from its OpenAPI document by `npm run client`. */

export interface paths {
    "/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * State of the service
         * @description Needs no token.
         */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The resolved enforcement context
         * @description Needs a token or session.
         */
        get: operations["context"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Registered scopes that the caller may use
         * @description Needs the permission read.
         */
        get: operations["scopes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scopes/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes an empty scope
         * @description Needs the permission admin.
         */
        delete: operations["removeScope"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hybrid search
         * @description Needs the permission read.
         */
        post: operations["search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A grounded, cited answer
         * @description Needs the permission read, and a tier with answers.
         */
        post: operations["answer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/similar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Units like a Unit, or like the picture or sound in the body
         * @description Needs the permission read.
         */
        post: operations["similar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/units": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Units by time, or by their ids
         * @description Needs the permission read.
         */
        get: operations["units"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/units/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One Unit
         * @description Needs the permission read.
         */
        get: operations["unit"];
        put?: never;
        post?: never;
        /**
         * Deletes one Unit; with the last one of a file, the file
         * @description Needs the permission write.
         */
        delete: operations["removeUnit"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/units/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A picture of a Unit: the page, the crop, the frame, the waveform
         * @description Needs the permission read.
         */
        get: operations["preview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stores a batch of Units, whole or not at all
         * @description Needs the permission write. A body of the type application/x-ndjson is one JSON object a line, of any number, and is answered with a line for each.
         */
        post: operations["ingest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Files by time, newest first
         * @description Needs the permission read.
         */
        get: operations["files"];
        put?: never;
        /**
         * Takes a file in and makes Units of it; with wait=true, answers when they are searchable
         * @description Needs the permission write.
         */
        post: operations["putFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A file and its Units
         * @description Needs the permission read.
         */
        get: operations["file"];
        put?: never;
        post?: never;
        /**
         * Deletes a file with its Units
         * @description Needs the permission write.
         */
        delete: operations["removeFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The bytes of a file; takes a Range
         * @description Needs the permission read.
         */
        get: operations["fileContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How far the work on a file is
         * @description Needs the permission read.
         */
        get: operations["job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/catalog/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Catalog stats over what the caller may read
         * @description Needs the permission read.
         */
        get: operations["stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The models inside the executable, with their licences
         * @description Needs a token or session.
         */
        get: operations["models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rows of the audit chain, newest first
         * @description Needs the permission read or admin, and a tier with audit.
         */
        get: operations["audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Recomputes the audit chain, or a part of it
         * @description Needs the permission read or admin.
         */
        get: operations["verify"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/seed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * (Re)seeds the demo: open until a token exists, then for admins of the namespace demo
         * @description Needs the permission admin.
         */
        post: operations["seed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/reread": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reads stored files again that older extractors read, a page of files a call
         * @description Needs the permission admin.
         */
        post: operations["reread"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * API tokens, live and revoked, without their secrets
         * @description Needs the permission admin.
         */
        get: operations["tokens"];
        put?: never;
        /**
         * Makes an API token, and its principal when that is new; never with more than the caller has
         * @description Needs the permission admin.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revokes an API token, and ends the sessions made from it
         * @description Needs the permission admin.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchanges an API token for a console session cookie
         * @description Needs no token but that of its body.
         */
        post: operations["openSession"];
        /**
         * Ends the session of the cookie
         * @description Needs a token or session.
         */
        delete: operations["closeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Sentences of Units, each with its source and how sure it is. */
        Answer: {
            /** @description Plain text with inline markers `[1]`; empty when the status is `abstained`. */
            text: string;
            status: components["schemas"]["AnswerStatus"];
            /** @description Mean of the claims' scores; null without claims, or where no verifier reads the language. */
            nli_faithfulness: number | null;
            /** @description The statements of `text`; none when the status is `abstained`. */
            claims: components["schemas"]["Claim"][];
            /** @description Where the claims stand, by marker. */
            citations: components["schemas"]["Citation"][];
            /** @description Rounds of retrieving, finding evidence, verifying and citing. */
            iterations: number;
            /** @description `extractive`, or the name of the chat model that wrote the text. */
            model: string;
        };
        /**
         * @description A query that wants an answer.
         * @example {
         *       "q": "why did turbine 7 stop?",
         *       "answer": true
         *     }
         */
        AnswerQuery: {
            /** @description Plain text in any script; words in double quotes are a phrase that full text must find. */
            q: string;
            /** @description At most so many hits. Without it: 10. */
            top_k?: number;
            /** @description Search these planes alone; without it, all of the tier. */
            planes?: components["schemas"]["Plane"][];
            /** @description Keep only Units of these modalities. */
            modalities?: components["schemas"]["Modality"][];
            /**
             * @description Legs to search: vectors, full text or both. Without it: hybrid.
             * @enum {string}
             */
            mode?: "hybrid" | "vector" | "fulltext";
            /** @description Keep only Units of this document. */
            doc_id?: string;
            /**
             * @description At most `group_size` hits of each document; `top_k` still counts hits.
             * @constant
             */
            group_by?: "doc_id";
            /** @description With `group_by`, at most so many hits of each document. Without it: 1. */
            group_size?: number;
            /** @description What a place in each leg is worth: 1 where it is not named, and a leg of 0 is left out. Without it, by the form of `q`. */
            weights?: {
                /** @description Of the vector leg. */
                vector?: number;
                /** @description Of full text. */
                fulltext?: number;
                /** @description Of the label legs. */
                labels?: number;
            };
            /** @description How much hits that are like ones before them fall behind. Without it: 0. */
            diversity?: number;
            /** @description Fields whose values are counted over the matches: those of filters that hold strings, and metadata.<key>. */
            facets?: string[];
            /** @description Leaves out hits with a lower `score`, which has another scale with `rerank`. */
            min_score?: number;
            /** @description A cross-encoder reads the best candidates once more; Pro and Enterprise. Without it: as `answer`. */
            rerank?: boolean;
            /**
             * @description An answer is wanted.
             * @constant
             */
            answer: true;
            /** @description Adds `explain` to each hit. */
            explain?: boolean;
            /** @description Mongo-style filter; see docs/search.md. */
            filters?: {
                [key: string]: unknown;
            };
        };
        /** @description An answer, with the hits that it was looked for in. */
        AnswerResult: {
            /** @description Best first. */
            hits: components["schemas"]["Hit"][];
            answer: components["schemas"]["Answer"];
            /** @description By field; only when the query asks for facets. */
            facets?: {
                [key: string]: {
                    /** @description The most frequent values first. */
                    values: {
                        /** @description A value of the field. */
                        value: string | number | boolean;
                        /** @description Matches that have it. */
                        count: number;
                    }[];
                    /** @description True: every match was counted. False: each count is a lower bound. */
                    exact: boolean;
                };
            };
            trace: components["schemas"]["Trace"];
            context: components["schemas"]["Context"];
            /** @description Units of the same query's best `top_k` that the caller may not read, as exactly as the namespace tells it. */
            hidden_by_acl: number;
        };
        /**
         * @description `abstained`: nothing that the caller may read answers the question.
         * @enum {string}
         */
        AnswerStatus: "answered" | "partial" | "abstained";
        /** @description Rows, newest first; `next_cursor` is the `cursor` of the next page, null behind the last. */
        AuditPage: {
            /** @description Namespace of the chain. */
            namespace: string;
            /** @description Newest first. */
            rows: components["schemas"]["AuditRow"][];
            /** @description Rows of this page. */
            count: number;
            /** @description `cursor` of the next page; null: there are no more. */
            next_cursor: number | null;
        };
        /** @description Whether the chain is intact; if not, the first row that breaks it, and why. */
        AuditReport: {
            /** @description Namespace of the chain. */
            namespace: string;
            /** @description True: of the rows that were checked none is missing or changed, and the signed checkpoints agree. */
            intact: boolean;
            /** @description Rows that were checked. */
            checked: number;
            /** @description Number of the last row that was checked. */
            head_seq: number;
            /** @description `row_hash` of that row. */
            head_hash: string;
            /** @description The first row that is missing, changed or vouched for by no signature; null when intact. */
            break_at: number | null;
            /** @description What is wrong there, in words; null when intact. */
            reason: string | null;
            /** @description The row after which the check began. Rows up to it were not checked, and nothing is said of them. */
            after?: number;
            /**
             * @description There are rows behind `head_seq` that were not checked.
             * @constant
             */
            more?: true;
        };
        /** @description A row of the audit chain. Who did what to what is null for a reader who may not know it; the hashes are for everybody. */
        AuditRow: {
            /**
             * @description Absent in rows of the first form.
             * @constant
             */
            v?: 2;
            /** @description Its number, from 1 without gaps. */
            seq: number;
            /** @description When it was written, in ms since the Unix epoch. */
            ts: number;
            /** @description Namespace of the chain. */
            namespace: string;
            /** @description Who acted; null where it is withheld. */
            principal_id: string | null;
            /**
             * @description What was done, or refused.
             * @enum {string}
             */
            action: "seed" | "ingest" | "search" | "answer" | "context" | "scopes.list" | "scope.delete" | "scope.set" | "namespace.create" | "namespace.set" | "unit.get" | "unit.delete" | "unit.preview" | "units.list" | "similar" | "files.list" | "file.get" | "file.content" | "file.delete" | "files.reread" | "job.get" | "stats" | "audit.list" | "audit.verify" | "audit.rekey" | "session.create" | "session.delete" | "token.create" | "token.list" | "token.revoke";
            /**
             * @description How it ended.
             * @enum {string}
             */
            outcome: "ok" | "denied" | "error";
            /** @description Scope that it was about; null without one, or where it is withheld. */
            scope: string | null;
            /** @description Id or path that it was about; null without one, or where it is withheld. */
            target: string | null;
            /** @description What was asked, never what was found; null where it is withheld. */
            detail: {
                [key: string]: string | number | boolean | null;
            } | null;
            /** @description Base64url; only where the content is shown. */
            salt?: string;
            /** @description Hash of the salted content; absent in rows of the first form. */
            content_hash?: string;
            /** @description `row_hash` of the row before; 64 zeros in row 1. */
            prev_hash: string;
            /** @description SHA-256 of the row, as hex. */
            row_hash: string;
        };
        /** @description A box on a picture or page, as shares of its width and height from the top left. */
        BoundingBox: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "bbox";
            /** @description Page of a document, from 1. */
            page?: number;
            /** @description Left edge, as a share of the width. */
            x: number;
            /** @description Upper edge, as a share of the height. */
            y: number;
            /** @description Width of the box, as a share of the whole. */
            w: number;
            /** @description Height of the box, as a share of the whole. */
            h: number;
        };
        /** @description Counts over what the caller may read, per plane. */
        CatalogStats: {
            /** @description Namespace that is counted. */
            namespace: string;
            /**
             * @description Language of the namespace; absent where it is English.
             * @enum {string}
             */
            language?: "en" | "any" | "ar" | "hy" | "da" | "nl" | "fi" | "fr" | "de" | "el" | "hi" | "hu" | "id" | "ga" | "it" | "lt" | "ne" | "no" | "pt" | "ro" | "ru" | "sr" | "es" | "sv" | "ta" | "tr" | "ja" | "th" | "vi" | "zh";
            /** @description Scope that the request asked for. */
            scope: string;
            /** @description The planes of the tier. */
            planes: components["schemas"]["PlaneStats"][];
            /** @description Searches and answers of the last 24 hours, of all callers. */
            queries_per_day: number;
            /** @description What is stored. */
            storage: {
                /** @description Files of which the caller may read a Unit, in 10^9 bytes. */
                object_store_gb: number;
                /** @description Units that the caller may read. */
                catalog_rows: number;
                /** @description Vectors of these Units. */
                vectors: number;
            };
        };
        /** @description UTF-16 code units of a text, from 0; the end is excluded. */
        CharSpan: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "char_span";
            /** @description Where it begins, in UTF-16 code units. */
            start: number;
            /** @description Where it ends, in UTF-16 code units; excluded. */
            end: number;
        };
        /** @description Where a claim stands: the quote with its neighbours, and in it, marked, what answers. All offsets count in the Unit's text. */
        Citation: {
            /** @description The n of the marker `[n]` in the answer's text, from 1. */
            marker: number;
            /** @description The Unit that is quoted. */
            unit_id: string;
            /** @description Its document; null without one. */
            doc_id: string | null;
            /** @description Where the Unit stands in its document, outermost first: title, headings, defined term, table caption. */
            path?: string[];
            /** @description Path of the scope that it lies in. */
            scope: string;
            modality: components["schemas"]["Modality"];
            plane: components["schemas"]["Plane"];
            /** @description Where its source is; null where it names none. */
            source_uri: string | null;
            /** @description The part of its source that it is; null where it is not said. */
            locator: components["schemas"]["Locator"] | null;
            /** @description The Unit's text from `quote_start` to `quote_end`. */
            quote: string;
            /** @description Where the quote begins in the Unit's text, in UTF-16 code units. */
            quote_start: number;
            /** @description Where it ends there; excluded. */
            quote_end: number;
            /** @description Where the words that answer begin in the Unit's text, in UTF-16 code units. */
            mark_start: number;
            /** @description Where they end there; excluded. */
            mark_end: number;
        };
        /** @description A statement of the answer's text. `score`: probability that what is cited supports it, null where no verifier reads the language; `answers`: probability that it answers the question. */
        Claim: {
            /** @description Where it begins in the answer's text, in UTF-16 code units. */
            start: number;
            /** @description Where it ends there, excluded; its markers follow. */
            end: number;
            /** @description What the verifier says of it and its sources; null where none reads the language. */
            verdict: ("entailed" | "neutral" | "contradicted") | null;
            /** @description Probability that what is cited supports it; null where no verifier reads the language. */
            score: number | null;
            /** @description Probability that it answers the question. */
            answers: number;
            /** @description Markers of its citations, ascending. */
            citations: number[];
        };
        /** @description Who asks, and what for: principal, scopes and permissions as they were resolved. */
        Context: {
            principal: components["schemas"]["Principal"];
            /** @description Scope of requests that name none; `*`: all that the principal may use. */
            active_scope: string;
            /** @description Scope that the request asked for, else the active one. */
            requested_scope: string;
            /** @description Registered scopes that the request runs against; empty where it asked for one that the principal may not use. */
            effective_scopes: string[];
            /** @description Registered scopes that the principal may use. */
            allowed_scopes: string[];
            /** @description What the caller may do in the requested scope. */
            perms: components["schemas"]["Perm"][];
            /** @description Number of registered scopes that the principal may use. */
            folders_visible: number;
            /** @description Number of registered scopes of the namespace. */
            folders_total: number;
        };
        /** @description Body of every refusal: its code, what is wrong in words, and the HTTP status once more. */
        Error: {
            error: components["schemas"]["ErrorCode"];
            /** @description What is wrong, in words. */
            detail: string;
            /** @description The HTTP status. */
            status: number;
        };
        /**
         * @description What a refusal is for programs.
         * @enum {string}
         */
        ErrorCode: "bad_request" | "unauthorized" | "upgrade_required" | "quota_exceeded" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "payload_too_large" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "unavailable";
        /** @description What the rank of a hit comes from; only where the query asks for it. */
        Explanation: {
            /** @description What each leg gave. */
            fusion: {
                /** @description `vector`, `labels:visual`, `labels:audio` or `fulltext`; of a search by example `similar`. */
                leg: string;
                /** @description Its place in the leg, from 1. */
                rank: number;
                /** @description What its place adds to the fused score. */
                contribution: number;
            }[];
            /** @description The passage of `text` whose vector matched best; null where the vector leg did not find it. */
            window: components["schemas"]["Span"] | null;
            /** @description Words of `text` that matched, in lower case. */
            terms: string[];
        };
        /** @description A stored file. */
        File: {
            /** @description `f_` and a hash of its bytes, owner and scope: the same file has the same id. */
            file_id: string;
            /** @description Groups its Units; `file_id` unless the sender named one. */
            doc_id: string;
            /** @description `strata://files/<file_id>`, which its Units name as their source. */
            source_uri: string;
            /** @description Relative to the folder that it was taken from, with `/` between its parts. */
            name: string;
            /** @description `picture`, `document`, `sound`, `video` or `log`, as its bytes say. */
            kind: string;
            /** @description Content type, as its bytes say. */
            mime: string;
            /** @description Size in bytes. */
            bytes: number;
            /** @description SHA-256 of its bytes, as hex. */
            sha256: string;
            /** @description Path of the scope that it lies in. */
            scope: string;
            /** @description Principal that sent it. */
            acl_owner: string;
            /** @description Groups that may read its Units, beside its owner. */
            acl_groups: string[];
            metadata?: components["schemas"]["Metadata"];
            /** @description The version of the extractor of its kind that read it. */
            extractor: number;
            /** @description Its last job; null where there is none. */
            job: components["schemas"]["Job"] | null;
            /** @description When it was taken in, in ms since the Unix epoch. */
            created_at: number;
            /** @description When it was last changed, in ms since the Unix epoch. */
            updated_at: number;
            /** @description Ids of its Units that the caller may read. */
            units: string[];
        };
        /** @description A file that is durable, and the job that reads it. */
        FileAccepted: {
            /** @description `f_` and a hash of its bytes, owner and scope: the same file has the same id. */
            file_id: string;
            /** @description Groups its Units; `file_id` unless the sender named one. */
            doc_id: string;
            /** @description `strata://files/<file_id>`, which its Units name as their source. */
            source_uri: string;
            job: components["schemas"]["Job"];
        };
        /** @description A file as a form, with what is said of its Units. */
        FileUpload: {
            /**
             * Format: binary
             * @description The file, with its name.
             */
            file: string;
            /** @description Groups the Units of the file; without it, the id of the file. */
            doc_id?: string;
            /** @description Groups that may read its Units; without any, the owner alone. */
            acl_groups?: string[];
            metadata?: components["schemas"]["Metadata"];
        };
        /** @description Files by time, newest first */
        FilesResult: {
            /** @description Newest first. */
            files: {
                /** @description `f_` and a hash of its bytes, owner and scope: the same file has the same id. */
                file_id: string;
                /** @description Groups its Units; `file_id` unless the sender named one. */
                doc_id: string;
                /** @description `strata://files/<file_id>`, which its Units name as their source. */
                source_uri: string;
                /** @description Relative to the folder that it was taken from, with `/` between its parts. */
                name: string;
                /** @description `picture`, `document`, `sound`, `video` or `log`, as its bytes say. */
                kind: string;
                /** @description Content type, as its bytes say. */
                mime: string;
                /** @description Size in bytes. */
                bytes: number;
                /** @description SHA-256 of its bytes, as hex. */
                sha256: string;
                /** @description Path of the scope that it lies in. */
                scope: string;
                /** @description Principal that sent it. */
                acl_owner: string;
                /** @description Groups that may read its Units, beside its owner. */
                acl_groups: string[];
                metadata?: components["schemas"]["Metadata"];
                /** @description The version of the extractor of its kind that read it. */
                extractor: number;
                /** @description Its last job; null where there is none. */
                job: components["schemas"]["Job"] | null;
                /** @description When it was taken in, in ms since the Unix epoch. */
                created_at: number;
                /** @description When it was last changed, in ms since the Unix epoch. */
                updated_at: number;
                /** @description How many of its Units the caller may read. */
                unit_count: number;
            }[];
            context: components["schemas"]["Context"];
            /** @description `cursor` of the next page; null: there are no more. */
            next_cursor: number | null;
        };
        /** @description State of the service. */
        Health: {
            /**
             * @description `degraded`: a part does not work; `down`: no plane can be searched.
             * @enum {string}
             */
            status: "ok" | "degraded" | "down";
            /** @description `strata`. */
            service: string;
            /** @description Version of the service. */
            version: string;
            /** @description Now, as ISO 8601 in UTC. */
            time: string;
            /** @description What the service is made of. */
            bindings: {
                /** @description Database of Units; where a namespace's fails, what of it, such as `bun:sqlite (a catalog cannot be written)`. */
                catalog: string;
                /** @description Planes whose vectors can be searched. */
                vector_index: string[];
                /** @description Where the bytes of files are. */
                object_store: string;
                /** @description Store of tokens and sessions. */
                key_value: string;
                /** @description True when the models run. */
                inference: boolean;
            };
        };
        /** @description A Unit with its place among what was found. */
        Hit: {
            /** @description `u_` and a hash of what the Unit is: the same Unit has the same id. */
            unit_id: string;
            /** @description What is embedded and found by its words; absent where there is none. */
            text?: string;
            modality: components["schemas"]["Modality"];
            plane: components["schemas"]["Plane"];
            /** @description Namespace that it lies in. */
            namespace: string;
            /** @description Path of the scope that it lies in. */
            scope: string;
            /** @description Where its source is; `strata://files/<file_id>` of a stored file. */
            source_uri?: string;
            /** @description Content type of its source. */
            mime?: string;
            locator?: components["schemas"]["Locator"];
            /** @description Groups the Units of one source. */
            doc_id?: string;
            /** @description Where the Unit stands in its document, outermost first: title, headings, defined term, table caption. */
            path?: string[];
            /** @description Principal that owns it. */
            acl_owner: string;
            /** @description Groups that may read it, beside its owner. */
            acl_groups: string[];
            metadata?: components["schemas"]["Metadata"];
            /** @description SHA-256 of `text`, as hex; null without a text. */
            content_sha256: string | null;
            /** @description When it was first stored, in ms since the Unix epoch. */
            created_at: number;
            /** @description When it was last changed, in ms since the Unix epoch. */
            updated_at: number;
            /** @description Its place among the hits, from 1. */
            rank: number;
            /** @description The fused score; with `rerank` a blend with the cross-encoder's, 0-1; of a search by example, the cosine. */
            score: number;
            scores: components["schemas"]["Scores"];
            /** @description The part of `text` to show; null without a text. */
            snippet: string | null;
            /** @description Matched words, as offsets into `text`. */
            highlights: components["schemas"]["Span"][];
            /** @description The sentences of `text` that bear on the query most, as offsets. */
            evidence?: components["schemas"]["ScoredSpan"][];
            explain?: components["schemas"]["Explanation"];
        };
        /**
         * @description A batch of Units, stored whole or not at all.
         * @example {
         *       "units": [
         *         {
         *           "text": "Turbine 7 stopped at 04:12 after its main bearing overheated.",
         *           "modality": "chunk",
         *           "scope": "harbour/ops",
         *           "doc_id": "report-7",
         *           "path": [
         *             "Night report",
         *             "Turbines"
         *           ],
         *           "metadata": {
         *             "shift": "night"
         *           }
         *         }
         *       ]
         *     }
         */
        IngestRequest: {
            /** @description The batch. */
            units: components["schemas"]["UnitDraft"][];
        };
        /** @description What became of each Unit of a batch that is durable and searchable. */
        IngestResult: {
            /** @description Units of the batch. */
            ingested: number;
            /** @description Those that are new. */
            created: number;
            /** @description Those that were there and changed. */
            updated: number;
            /** @description Those that were there as they are. */
            unchanged: number;
            /** @description In the order of the batch. */
            units: components["schemas"]["IngestedUnit"][];
            /** @description Number of the row of the audit chain. */
            audit_seq: number;
        };
        /** @description What became of one Unit of a batch. */
        IngestedUnit: {
            /** @description Its place in the batch, from 0. */
            index: number;
            /** @description Its id. */
            unit_id: string;
            /**
             * @description What became of it.
             * @enum {string}
             */
            status: "created" | "updated" | "unchanged";
        };
        /** @description Reading one file. `progress` is 0-1. */
        Job: {
            /** @description Its id. */
            id: string;
            /** @description The file that it reads. */
            file_id: string;
            /**
             * @description How far it is.
             * @enum {string}
             */
            state: "queued" | "running" | "done" | "failed";
            /** @description What is being done, in a word or two. */
            stage: string;
            /** @description Share of the work that is done. */
            progress: number;
            /** @description For all but the owner and admins, over the Units that they may read. */
            counts: {
                /** @description Units stored so far. */
                units: number;
                /** @description How many of them are new. */
                created: number;
            };
            /** @description What was left out and why; empty for all but the owner and admins. */
            notes: string[];
            /** @description Why it failed; null unless it did. */
            error: {
                /** @description Code of the failure. */
                error: string;
                /** @description What is wrong, in words. */
                detail: string;
            } | null;
            /** @description When it was queued, in ms since the Unix epoch. */
            created_at: number;
            /** @description When it last went on, in ms since the Unix epoch. */
            updated_at: number;
        };
        /** @description The place of a Unit in one leg. `raw` is null where it is withheld. */
        LegScore: {
            /** @description `vector`, `labels:visual`, `labels:audio` or `fulltext`; of a search by example `similar`. */
            leg: string;
            /** @description Its place in the leg, from 1. */
            rank: number;
            /** @description Cosine (-1 to 1), label score or BM25 score; null where it is withheld. */
            raw: number | null;
        };
        /** @description Lines of a text or log, from 1; the end is included. */
        LineRange: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "line_range";
            /** @description First line, from 1. */
            start: number;
            /** @description Last line; included. */
            end: number;
        };
        /** @description What became of one line of a stream of Units: its Unit, or why it was refused. */
        LineStatus: {
            /** @description Number of the line, from 1. */
            line: number;
            /** @description Id of its Unit. */
            unit_id: string;
            /**
             * @description What became of it.
             * @enum {string}
             */
            status: "created" | "updated" | "unchanged";
        } | {
            /** @description Number of the line, from 1. */
            line: number;
            error: components["schemas"]["Error"];
        };
        /** @description The part of its source that a Unit is. */
        Locator: components["schemas"]["TimeRange"] | components["schemas"]["BoundingBox"] | components["schemas"]["CharSpan"] | components["schemas"]["LineRange"];
        /** @description Facts about a Unit or file, for filters: a flat object. */
        Metadata: {
            [key: string]: string | number | boolean | string[];
        };
        /**
         * @description What a Unit was made of. Its plane follows from it, unless it is given.
         * @enum {string}
         */
        Modality: "text" | "chunk" | "caption" | "ocr" | "asr" | "image" | "image_region" | "doc_page" | "video_shot" | "audio_utterance" | "log_template" | "detection";
        /** @description The models inside the executable, with their licences */
        ModelsResult: {
            /** @description All that a build may have. */
            models: {
                /** @description Its name. */
                name: string;
                /** @description What it does: text-embedding, reranking, entailment, speech-recognition and others. */
                task: string;
                /** @description Length of its vectors; null where it makes none. */
                dims: number | null;
                /** @description Its licence. */
                licence: string;
                /** @description Size in bytes. */
                bytes: number;
                /** @description False for one that this build leaves out. */
                included: boolean;
            }[];
        };
        /**
         * @description What a principal may do.
         * @enum {string}
         */
        Perm: "read" | "write" | "admin";
        /**
         * @description What of a source a Unit stands for, and is searched with: its text, what is seen, what is heard, a page.
         * @enum {string}
         */
        Plane: "text" | "visual" | "audio" | "doc_visual";
        /** @description One plane: its model, its vectors, and how many of them are indexed. */
        PlaneStats: {
            plane: components["schemas"]["Plane"];
            /** @description Model that makes the vectors. */
            model: string;
            /** @description Length of a vector. */
            dims: number;
            /** @description How vectors are compared: `cosine`. */
            metric: string;
            /** @description Vectors of Units that the caller may read. */
            vectors: number;
            /** @description Those that the index has. */
            indexed: number;
            /** @description Those that it does not have yet. */
            lag: number;
            /** @description Units that an index cannot take: `strata doctor` names them. */
            quarantined?: number;
            /** @description What is seen or heard in the Units of the plane, beside their text. */
            content?: {
                /** @description Model that makes the vectors. */
                model: string;
                /** @description Length of a vector. */
                dims: number;
                /** @description How vectors are compared: `cosine`. */
                metric: string;
                /** @description Units that have one. */
                vectors: number;
            };
            /**
             * @description `yellow`: the index is behind, being built, or cannot take some Units; `red`: it fails.
             * @enum {string}
             */
            health: "green" | "yellow" | "red";
        };
        /** @description Who a token or session stands for. */
        Principal: {
            /** @description Its id. */
            principal_id: string;
            /** @description Namespace that the request works in. */
            namespace: string;
            /** @description True: it may only read, whatever its other permissions. */
            read_only: boolean;
            /** @description Groups that it belongs to. */
            groups: string[];
        };
        /** @description How many were removed. */
        Removed: {
            /** @description Units that were removed; of a scope, 1. */
            removed: number;
        };
        /** @description Which stored files to read again. */
        RereadRequest: {
            /** @description Go on behind this file: `next` of the call before. */
            after?: string;
            /** @description Also files of which Units were deleted one by one: these Units come back. Without it: false. */
            with_deleted?: boolean;
        };
        /** @description Files that are read again, and those that are not and why. */
        RereadResult: {
            /** @description Those that are read again. */
            files: {
                /** @description `f_` and a hash of its bytes, owner and scope: the same file has the same id. */
                file_id: string;
                /** @description Relative to the folder that it was taken from, with `/` between its parts. */
                name: string;
                /** @description Path of the scope that it lies in. */
                scope: string;
                job: components["schemas"]["Job"];
            }[];
            /** @description Those that are not. */
            left_out: {
                /** @description `f_` and a hash of its bytes, owner and scope: the same file has the same id. */
                file_id: string;
                /** @description Relative to the folder that it was taken from, with `/` between its parts. */
                name: string;
                /** @description Path of the scope that it lies in. */
                scope: string;
                /** @description Why it is not read. */
                reason: string;
            }[];
            /** @description Files in the effective scopes that older extractors read. */
            outdated: number;
            /** @description `after` of the next call; null: there are no more. */
            next: string | null;
        };
        /** @description A registered scope: a partition of a namespace, named by a path. */
        Scope: {
            /** @description Its path. */
            scope: string;
            /** @description Namespace that it is a part of. */
            namespace: string;
            /** @description Path of the scope above; null at the top. */
            parent: string | null;
            /** @description Planes of the tier when it was registered. */
            planes: components["schemas"]["Plane"][];
            /** @description True: callers with an API token may only read in it, but for admins. */
            read_only_agents: boolean;
            /** @description When it was registered, in ms since the Unix epoch. */
            created_at: number;
        };
        /** @description Registered scopes that the caller may use. */
        ScopeList: {
            scopes: components["schemas"]["Scope"][];
        };
        /** @description A part of a text with its relevance to the query, 0-1. */
        ScoredSpan: {
            /** @description Where it begins in `text`, in UTF-16 code units. */
            start: number;
            /** @description Where it ends in `text`, in UTF-16 code units; excluded. */
            end: number;
            /** @description Relevance to the query, 0-1. */
            score: number;
        };
        /** @description What the score of a hit is made of. */
        Scores: {
            /** @description Reciprocal rank fusion of the legs; of a search by example, the cosine. */
            fused: number;
            /** @description Relevance by the cross-encoder, 0-1; null where it did not read this Unit. */
            rerank: number | null;
            /** @description The legs that found it. */
            legs: components["schemas"]["LegScore"][];
        };
        /**
         * @description What is looked for.
         * @example {
         *       "q": "why did turbine 7 stop?",
         *       "top_k": 5
         *     }
         */
        SearchQuery: {
            /** @description Plain text in any script; words in double quotes are a phrase that full text must find. */
            q: string;
            /** @description At most so many hits. Without it: 10. */
            top_k?: number;
            /** @description Search these planes alone; without it, all of the tier. */
            planes?: components["schemas"]["Plane"][];
            /** @description Keep only Units of these modalities. */
            modalities?: components["schemas"]["Modality"][];
            /**
             * @description Legs to search: vectors, full text or both. Without it: hybrid.
             * @enum {string}
             */
            mode?: "hybrid" | "vector" | "fulltext";
            /** @description Keep only Units of this document. */
            doc_id?: string;
            /**
             * @description At most `group_size` hits of each document; `top_k` still counts hits.
             * @constant
             */
            group_by?: "doc_id";
            /** @description With `group_by`, at most so many hits of each document. Without it: 1. */
            group_size?: number;
            /** @description What a place in each leg is worth: 1 where it is not named, and a leg of 0 is left out. Without it, by the form of `q`. */
            weights?: {
                /** @description Of the vector leg. */
                vector?: number;
                /** @description Of full text. */
                fulltext?: number;
                /** @description Of the label legs. */
                labels?: number;
            };
            /** @description How much hits that are like ones before them fall behind. Without it: 0. */
            diversity?: number;
            /** @description Fields whose values are counted over the matches: those of filters that hold strings, and metadata.<key>. */
            facets?: string[];
            /** @description Leaves out hits with a lower `score`, which has another scale with `rerank`. */
            min_score?: number;
            /** @description A cross-encoder reads the best candidates once more; Pro and Enterprise. Without it: as `answer`. */
            rerank?: boolean;
            /** @description An answer beside the hits; Pro and Enterprise. Without it: none. */
            answer?: boolean;
            /** @description Adds `explain` to each hit. */
            explain?: boolean;
            /** @description Mongo-style filter; see docs/search.md. */
            filters?: {
                [key: string]: unknown;
            };
        };
        /** @description Hits, best first; an answer, if the query wants one and the tier has it. */
        SearchResult: {
            /** @description Best first. */
            hits: components["schemas"]["Hit"][];
            /** @description Null where the query wants none, or the tier has none. */
            answer: components["schemas"]["Answer"] | null;
            /** @description By field; only when the query asks for facets. */
            facets?: {
                [key: string]: {
                    /** @description The most frequent values first. */
                    values: {
                        /** @description A value of the field. */
                        value: string | number | boolean;
                        /** @description Matches that have it. */
                        count: number;
                    }[];
                    /** @description True: every match was counted. False: each count is a lower bound. */
                    exact: boolean;
                };
            };
            trace: components["schemas"]["Trace"];
            context: components["schemas"]["Context"];
            /** @description Units of the same query's best `top_k` that the caller may not read, as exactly as the namespace tells it. */
            hidden_by_acl: number;
        };
        /** @description What the demo has: namespaces, principals, scopes, tokens and counts. */
        SeedResult: {
            /** @description One for each tier. */
            namespaces: {
                /** @description Namespace that it belongs to. */
                namespace: string;
                tier: components["schemas"]["Tier"];
            }[];
            /** @description Who may call. */
            principals: {
                /** @description Its id. */
                principal_id: string;
                /** @description Namespace that it belongs to. */
                namespace: string;
                /** @description What it may do. */
                perms: components["schemas"]["Perm"][];
                /** @description Scopes that it may use, each with all below it; `*`: all. */
                scopes: string[];
                /** @description Groups that it belongs to. */
                groups: string[];
                /** @description True: it may only read. */
                read_only: boolean;
            }[];
            /** @description Scopes that Units lie in. */
            scopes: {
                /** @description Namespace that it belongs to. */
                namespace: string;
                /** @description Its path. */
                scope: string;
            }[];
            /** @description The same on every deployment. */
            tokens: {
                /** @description Its name. */
                name: string;
                /** @description Its secret, which is published. */
                token: string;
                /** @description Whom it stands for. */
                principal_id: string;
                /** @description Namespace that it belongs to. */
                namespace: string;
            }[];
            /** @description How much there is. */
            counts: {
                /** @description Units of the demo. */
                units: number;
                /** @description Scopes of the demo. */
                scopes: number;
                /** @description Principals of the demo. */
                principals: number;
                /** @description Tokens of the demo. */
                tokens: number;
                /** @description Its Units by plane. */
                by_plane: {
                    [key: string]: number;
                };
                /** @description Its Units by modality. */
                by_modality: {
                    [key: string]: number;
                };
            };
        };
        /** @description Whom the session cookie stands for, and until when. */
        Session: {
            /** @description Whom the session stands for. */
            principal_id: string;
            /** @description Its namespace. */
            namespace: string;
            /** @description When it ends, in ms since the Unix epoch. */
            expires_at: number;
        };
        /** @description Whether there was a session to end. */
        SessionEnded: {
            /** @description False: the request came with no session. */
            ended: boolean;
        };
        /** @description The API token to exchange for a session cookie. */
        SessionRequest: {
            /** @description Secret of a live API token. */
            token: string;
        };
        /** @description A Unit with its likeness to the example. */
        SimilarHit: {
            /** @description `u_` and a hash of what the Unit is: the same Unit has the same id. */
            unit_id: string;
            /** @description What is embedded and found by its words; absent where there is none. */
            text?: string;
            modality: components["schemas"]["Modality"];
            plane: components["schemas"]["Plane"];
            /** @description Namespace that it lies in. */
            namespace: string;
            /** @description Path of the scope that it lies in. */
            scope: string;
            /** @description Where its source is; `strata://files/<file_id>` of a stored file. */
            source_uri?: string;
            /** @description Content type of its source. */
            mime?: string;
            locator?: components["schemas"]["Locator"];
            /** @description Groups the Units of one source. */
            doc_id?: string;
            /** @description Where the Unit stands in its document, outermost first: title, headings, defined term, table caption. */
            path?: string[];
            /** @description Principal that owns it. */
            acl_owner: string;
            /** @description Groups that may read it, beside its owner. */
            acl_groups: string[];
            metadata?: components["schemas"]["Metadata"];
            /** @description SHA-256 of `text`, as hex; null without a text. */
            content_sha256: string | null;
            /** @description When it was first stored, in ms since the Unix epoch. */
            created_at: number;
            /** @description When it was last changed, in ms since the Unix epoch. */
            updated_at: number;
            /** @description Its place among the hits, from 1. */
            rank: number;
            /** @description The fused score; with `rerank` a blend with the cross-encoder's, 0-1; of a search by example, the cosine. */
            score: number;
            scores: components["schemas"]["Scores"];
            /** @description The part of `text` to show; null without a text. */
            snippet: string | null;
            /** @description Matched words, as offsets into `text`. */
            highlights: components["schemas"]["Span"][];
            /** @description The sentences of `text` that bear on the query most, as offsets. */
            evidence?: components["schemas"]["ScoredSpan"][];
            explain?: components["schemas"]["Explanation"];
            /** @description Pictures alone: cosine of at least 0.75. */
            near_duplicate: boolean;
        };
        /** @description A Unit to compare with, and which Units to compare. */
        SimilarQuery: {
            /** @description The Unit to compare with, where no picture or sound is sent. */
            unit_id?: string;
            /** @description At most so many hits. Without it: 10. */
            top_k?: number;
            /** @description Search these planes alone; without it, all of the tier. */
            planes?: components["schemas"]["Plane"][];
            /** @description Keep only Units of these modalities. */
            modalities?: components["schemas"]["Modality"][];
            /** @description Keep only Units of this document. */
            doc_id?: string;
            /** @description Leaves out hits with a lower `score`, which has another scale with `rerank`. */
            min_score?: number;
            /** @description Mongo-style filter; see docs/search.md. */
            filters?: {
                [key: string]: unknown;
            };
        };
        /** @description The most similar Units, best first. */
        SimilarResult: {
            /** @description Best first. */
            hits: components["schemas"]["SimilarHit"][];
            /** @description Always null. */
            answer: null;
            trace: components["schemas"]["Trace"];
            context: components["schemas"]["Context"];
            /** @description Units of the same query's best `top_k` that the caller may not read, as exactly as the namespace tells it. */
            hidden_by_acl: number;
        };
        /** @description A part of a text, as offsets in UTF-16 code units; the end is excluded. */
        Span: {
            /** @description Where it begins in `text`, in UTF-16 code units. */
            start: number;
            /** @description Where it ends in `text`, in UTF-16 code units; excluded. */
            end: number;
        };
        /**
         * @description What a namespace has subscribed to.
         * @enum {string}
         */
        Tier: "free" | "pro" | "enterprise";
        /** @description Milliseconds from the start of a sound or film. */
        TimeRange: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "time_range";
            /** @description Start, in ms. */
            t_start_ms: number;
            /** @description End, in ms. */
            t_end_ms: number;
        };
        /** @description A token without its secret. */
        Token: {
            /** @description Its id, for revoking it. */
            id: string;
            /** @description Its name. */
            name: string;
            /** @description Namespace of its principal. */
            namespace: string;
            /** @description Whom it stands for. */
            principal_id: string;
            /** @description What its principal may do. */
            perms: components["schemas"]["Perm"][];
            /** @description Scopes of its principal, each with all below it; `*`: all. */
            scopes: string[];
            /** @description Groups of its principal. */
            groups: string[];
            /** @description True: its principal may only read. */
            read_only: boolean;
            /** @description When it was made, in ms since the Unix epoch. */
            created_at: number;
            /** @description Published with the product. */
            seeded: boolean;
            /** @description When it was revoked, in ms since the Unix epoch; null while it is live. */
            revoked_at: number | null;
        };
        /** @description A new token, with its secret this once. */
        TokenCreated: {
            /** @description Its id, for revoking it. */
            id: string;
            /** @description Its name. */
            name: string;
            /** @description Namespace of its principal. */
            namespace: string;
            /** @description Whom it stands for. */
            principal_id: string;
            /** @description What its principal may do. */
            perms: components["schemas"]["Perm"][];
            /** @description Scopes of its principal, each with all below it; `*`: all. */
            scopes: string[];
            /** @description Groups of its principal. */
            groups: string[];
            /** @description True: its principal may only read. */
            read_only: boolean;
            /** @description When it was made, in ms since the Unix epoch. */
            created_at: number;
            /** @description The secret, shown this once. */
            token: string;
        };
        /** @description Tokens, live and revoked, without their secrets. */
        TokenList: {
            tokens: components["schemas"]["Token"][];
        };
        /**
         * @description A token to make, with its principal where that is new.
         * @example {
         *       "name": "importer",
         *       "principal_id": "importer",
         *       "perms": [
         *         "read",
         *         "write"
         *       ],
         *       "scopes": [
         *         "harbour"
         *       ]
         *     }
         */
        TokenRequest: {
            /** @description Name of the token. */
            name: string;
            /** @description Whom it stands for. */
            principal_id: string;
            /** @description Of a new principal; read without it. */
            perms?: components["schemas"]["Perm"][];
            /** @description Each with all below it; all without it. */
            scopes?: string[];
            /** @description Of a new principal: the scope of requests that name none. */
            active_scope?: string;
            /** @description Of a new principal; none without it. */
            groups?: string[];
            /** @description Of a new principal: it may only read. Without it: false. */
            read_only?: boolean;
        };
        /** @description How the query was worked on, with times in milliseconds and what was left out. */
        Trace: {
            /** @description Time of the work on what the caller may see, in ms. */
            total_ms: number;
            /** @description Steps of the work. */
            stages: {
                /** @description What was done. */
                name: string;
                /** @description Its time, in ms. */
                ms: number;
                /** @description How many items it was given. */
                in: number;
                /** @description How many items it gave. */
                out: number;
            }[];
            /** @description How the legs were made one ranking. */
            fusion: {
                /** @description `rrf`: reciprocal rank fusion. */
                method: string;
                /** @description Its constant. */
                k: number;
            };
            /** @description Planes that were searched. */
            planes: components["schemas"]["Plane"][];
            /** @description What was left out or read otherwise, and why. */
            warnings: string[];
            /** @description Rounds of an answer; only with one. */
            rounds?: {
                /** @description From 1. */
                round: number;
                /** @description What was searched for. */
                queries: string[];
                /** @description Units that came back, over all rounds so far. */
                candidates: number;
                /** @description Sentences that were scored. */
                scored: number;
                /** @description Best confidence of the part of the question with the weakest evidence, 0-1; null without evidence. */
                best: number | null;
                /** @description Its time, in ms. */
                ms: number;
                /** @description What was found, in words. */
                outcome: string;
            }[];
        };
        /** @description The smallest thing that is stored, searched and cited. */
        Unit: {
            /** @description `u_` and a hash of what the Unit is: the same Unit has the same id. */
            unit_id: string;
            /** @description What is embedded and found by its words; absent where there is none. */
            text?: string;
            modality: components["schemas"]["Modality"];
            plane: components["schemas"]["Plane"];
            /** @description Namespace that it lies in. */
            namespace: string;
            /** @description Path of the scope that it lies in. */
            scope: string;
            /** @description Where its source is; `strata://files/<file_id>` of a stored file. */
            source_uri?: string;
            /** @description Content type of its source. */
            mime?: string;
            locator?: components["schemas"]["Locator"];
            /** @description Groups the Units of one source. */
            doc_id?: string;
            /** @description Where the Unit stands in its document, outermost first: title, headings, defined term, table caption. */
            path?: string[];
            /** @description Principal that owns it. */
            acl_owner: string;
            /** @description Groups that may read it, beside its owner. */
            acl_groups: string[];
            metadata?: components["schemas"]["Metadata"];
            /** @description SHA-256 of `text`, as hex; null without a text. */
            content_sha256: string | null;
            /** @description When it was first stored, in ms since the Unix epoch. */
            created_at: number;
            /** @description When it was last changed, in ms since the Unix epoch. */
            updated_at: number;
        };
        /** @description A Unit to store. It has a text, a source or both. */
        UnitDraft: {
            /** @description Embedded and full-text indexed; at most 256 KiB. */
            text?: string;
            modality: components["schemas"]["Modality"];
            plane?: components["schemas"]["Plane"];
            /** @description Scope path to store it in, where the request names none; without both, the caller's active scope. */
            scope?: string;
            /** @description Where its source is. */
            source_uri?: string;
            /** @description Content type of its source. */
            mime?: string;
            locator?: components["schemas"]["Locator"];
            /** @description Groups the Units of one source. */
            doc_id?: string;
            /** @description Where the Unit stands in its document, outermost first: title, headings, defined term, table caption. */
            path?: string[];
            /** @description Principal that owns it; without it, the caller. */
            acl_owner?: string;
            /** @description Groups that may read it, beside its owner; without it, none. */
            acl_groups?: string[];
            metadata?: components["schemas"]["Metadata"];
            /** @description Its vector, made by the model of the namespace (`GET /v1/models`) elsewhere: numbers, or the base64 of little-endian 32-bit floats, of norm 1. Needs the permission admin. Without it the text is encoded here. */
            vector?: number[] | string;
        };
        /** @description A page of Units; `next_cursor` is the `cursor` of the next one, null behind the last. */
        UnitPage: {
            units: components["schemas"]["Unit"][];
            /** @description Units in the effective scopes that the caller may not read, as exactly as the namespace tells it; 0 with `ids`. */
            hidden_by_acl: number;
            context: components["schemas"]["Context"];
            /** @description `cursor` of the next page; null: there are no more. */
            next_cursor: number | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    health: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description State of the service */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    context: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resolved enforcement context */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Context"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    scopes: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Registered scopes that the caller may use */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScopeList"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeScope: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Scope path: 1-8 segments of letters, digits, ".", "_" or "-" (at most 64 each, none "." or ".."), joined by "/". Slashes may stand as they are. */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removes an empty scope */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Removed"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    search: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchQuery"];
            };
        };
        responses: {
            /** @description Hybrid search */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResult"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    answer: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerQuery"];
            };
        };
        responses: {
            /** @description A grounded, cited answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerResult"];
                    "text/event-stream": {
                        /** @constant */
                        event: "search";
                        data: {
                            hits: components["schemas"]["Hit"][];
                            /** @description By field; only when the query asks for facets. */
                            facets?: {
                                [key: string]: {
                                    /** @description The most frequent values first. */
                                    values: {
                                        /** @description A value of the field. */
                                        value: string | number | boolean;
                                        /** @description Matches that have it. */
                                        count: number;
                                    }[];
                                    /** @description True: every match was counted. False: each count is a lower bound. */
                                    exact: boolean;
                                };
                            };
                            trace: components["schemas"]["Trace"];
                            context: components["schemas"]["Context"];
                        };
                    } | {
                        /** @constant */
                        event: "claim";
                        data: {
                            /** @description Its place among the claims. 0 begins the answer anew: what was told of it before no longer holds. */
                            index: number;
                            /** @description The text of the answer up to here, in which the offsets of the claim count. */
                            text: string;
                            claim: components["schemas"]["Claim"];
                            /** @description Those that the claim names. */
                            citations: components["schemas"]["Citation"][];
                        };
                    } | {
                        /** @constant */
                        event: "final";
                        data: components["schemas"]["AnswerResult"];
                    } | {
                        /** @constant */
                        event: "error";
                        data: components["schemas"]["Error"];
                    };
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upgrade_required */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    similar: {
        parameters: {
            query?: {
                /** @description Name of the file when it is the whole body. */
                name?: string;
                /** @description For a picture or sound as the body; a JSON body has it inside; At most so many hits. */
                top_k?: number;
                /** @description For a picture or sound as the body; a JSON body has it inside; repeated or separated by commas; Search these planes alone; without it, all of the tier. */
                planes?: components["schemas"]["Plane"][];
                /** @description For a picture or sound as the body; a JSON body has it inside; repeated or separated by commas; Keep only Units of these modalities. */
                modalities?: components["schemas"]["Modality"][];
                /** @description For a picture or sound as the body; a JSON body has it inside; Keep only Units of this document. */
                doc_id?: string;
                /** @description For a picture or sound as the body; a JSON body has it inside; Leaves out hits with a lower `score`, which has another scale with `rerank`. */
                min_score?: number;
                /** @description For a picture or sound as the body; a JSON body has it inside; as JSON; Mongo-style filter; see docs/search.md. */
                filters?: string;
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description The same, where the query string names none. */
                "X-File-Name"?: string;
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimilarQuery"];
                "multipart/form-data": components["schemas"]["FileUpload"];
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Units like a Unit, or like the picture or sound in the body */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimilarResult"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    units: {
        parameters: {
            query?: {
                /** @description Rows of a page; more than 100 counts as 100. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: number;
                /** @description `created_at`: the oldest first, the default; `-created_at`: the newest. */
                sort?: "created_at" | "-created_at";
                /** @description In place of a page these Units, in this order; those that do not exist, or are hidden, are missing. */
                ids?: string[];
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Units by time, or by their ids */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnitPage"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    unit: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One Unit */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unit"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeUnit: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deletes one Unit; with the last one of a file, the file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Removed"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    preview: {
        parameters: {
            query?: {
                /** @description Longer side of the picture in pixels. */
                size?: number;
                /** @description Of a Unit with a box: the page or picture that the box lies on, instead of what is in it. */
                whole?: boolean;
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A picture of a Unit: the page, the crop, the frame, the waveform */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    ingest: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description The same key with the same body is answered again and stored once, for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IngestRequest"];
            };
        };
        responses: {
            /** @description Stores a batch of Units, whole or not at all */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IngestResult"];
                    "application/x-ndjson": components["schemas"]["LineStatus"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upgrade_required or quota_exceeded */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    files: {
        parameters: {
            query?: {
                /** @description Rows of a page; more than 100 counts as 100. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: number;
                /** @description Those whose last job is in this state. */
                state?: "queued" | "running" | "done" | "failed";
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Files by time, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilesResult"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putFile: {
        parameters: {
            query?: {
                /** @description Name of the file when it is the whole body. */
                name?: string;
                /** @description Answer when the Units are searchable. */
                wait?: boolean;
                /** @description Groups the Units; without it, the id of the file. For a whole body; a form has fields. */
                doc_id?: string;
                /** @description Groups that may read the Units: repeated, separated by commas, or a JSON array. */
                acl_groups?: string;
                /** @description Metadata of all its Units, as a JSON object. */
                metadata?: string;
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description The same, where the query string names none. */
                "X-File-Name"?: string;
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["FileUpload"];
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Takes a file in and makes Units of it; with wait=true, answers when they are searchable */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileAccepted"];
                };
            };
            /** @description Takes a file in and makes Units of it; with wait=true, answers when they are searchable */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileAccepted"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upgrade_required or quota_exceeded */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    file: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file and its Units */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeFile: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deletes a file with its Units */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Removed"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    fileContent: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description One range of bytes, such as bytes=0-1023. */
                Range?: string;
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of a file; takes a Range */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The bytes of a file; takes a Range */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description range_not_satisfiable */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    job: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How far the work on a file is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    stats: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Catalog stats over what the caller may read */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogStats"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    models: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models inside the executable, with their licences */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelsResult"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    audit: {
        parameters: {
            query?: {
                /** @description Rows of a page; more than 100 counts as 100. */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: number;
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Rows of the audit chain, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upgrade_required */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    verify: {
        parameters: {
            query?: {
                /** @description Go on after this row, for which the caller vouches with `hash`: nothing is said of it and those before. */
                after?: number;
                /** @description `row_hash` of the row `after`. */
                hash?: string;
                /** @description Check at most so many rows; without it, all. */
                limit?: number;
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Recomputes the audit chain, or a part of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditReport"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    seed: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description (Re)seeds the demo: open until a token exists, then for admins of the namespace demo */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeedResult"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description quota_exceeded */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    reread: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RereadRequest"];
            };
        };
        responses: {
            /** @description Reads stored files again that older extractors read, a page of files a call */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RereadResult"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    tokens: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description API tokens, live and revoked, without their secrets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenList"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description Makes an API token, and its principal when that is new; never with more than the caller has */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenCreated"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upgrade_required */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description Id, as another operation returned it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revokes an API token, and ends the sessions made from it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    openSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionRequest"];
            };
        };
        responses: {
            /** @description Exchanges an API token for a console session cookie */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description payload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    closeSession: {
        parameters: {
            query?: {
                /** @description Scope to work in, where the header names none; without both, the caller's active scope. */
                scope?: string;
            };
            header?: {
                /** @description Scope to work in, or * for all that the caller may use; beats the parameter `scope`. */
                "X-Svc-Scope"?: string;
                /** @description Namespace to work in: for the super-admin alone, ignored from everybody else. */
                "X-Svc-Namespace"?: string;
                /** @description Names the request in the log; the response carries it. */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ends the session of the cookie */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionEnded"];
                };
            };
            /** @description bad_request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    /** @description Seconds to wait before the request is sent again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
